// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <OpenMS/METADATA/PeptideIdentification.h>

#include <cstddef>
#include <vector>

namespace OpenMS
{
  /// Stands in for the class of OpenMS 3.5: a sequence of identifications that is no std::vector and does not become
  /// one.
  class PeptideIdentificationList
  {
  public:
    using value_type = PeptideIdentification;
    using iterator = std::vector<PeptideIdentification>::iterator;
    using const_iterator = std::vector<PeptideIdentification>::const_iterator;

    iterator begin() { return items_.begin(); }
    iterator end() { return items_.end(); }
    const_iterator begin() const { return items_.begin(); }
    const_iterator end() const { return items_.end(); }
    std::size_t size() const { return items_.size(); }
    bool empty() const { return items_.empty(); }
    void clear() { items_.clear(); }
    PeptideIdentification& operator[](std::size_t i) { return items_[i]; }
    const PeptideIdentification& operator[](std::size_t i) const { return items_[i]; }
    void push_back(const PeptideIdentification& item) { items_.push_back(item); }

  private:
    std::vector<PeptideIdentification> items_;
  };
}
