// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "Competition.h"

namespace psmformer
{
  /// Estimates q-values of peptidoforms on the best PSM of each, in each list, and gives them to all its scored hits. A
  /// hit whose peptidoform is the best of no identification gets the q-value that a peptidoform of its score would
  /// have.
  void estimatePeptideQValues(const CompetitionLists& lists, const DecoyKnowledge& decoys, const MatchTable& table,
                              Annotation& annotation);
}
