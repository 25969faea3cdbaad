// SPDX-License-Identifier: BSD-3-Clause
// The short texts of a manifest: ion channels, vocabularies and versions.
#include "FuzzTarget.h"
#include "SemanticVersion.h"

#include <PSMFormer/core/IonEvidence.h>
#include <PSMFormer/core/Vocabulary.h>

#include <cstdint>

namespace
{
  using namespace psmformer;

  void checkVersions(const std::string& a, const std::string& b)
  {
    if (isSemanticVersion(a) && isSemanticVersion(b))
    {
      const bool is_older = isOlderVersion(a, b);
      const bool is_newer = isOlderVersion(b, a);
      fuzz::expect(is_older + is_newer == (a == b ? 0 : 1), "versions are not in one order");
    }
  }
}

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
  fuzz::writeSeeds(*argc, *argv, {"b1\n", "z2-loss\n", "ACDEFGHIKLMNPQRSTVWY\nPEPTIDE", "1.0.0-rc.1\n1.0.0-rc.a.0"});
  return 0;
}

/// The text before the first line feed is the name; what follows is a peptide or the other version.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
  const std::string text(data, data + size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string name = text.substr(0, end);
  const std::string rest = text.substr(std::min(end + 1, text.size()));
  fuzz::accepts({ErrorKind::INVALID_INPUT},
                [&] { fuzz::expect(parseIonChannel(name).name() == name, "an ion has another name"); });
  fuzz::accepts({ErrorKind::INVALID_MODEL, ErrorKind::INVALID_INPUT},
                [&] { fuzz::expect(Vocabulary(name).encode(rest).size() == rest.size(), "a residue has no token"); });
  checkVersions(name, rest);
  return 0;
}
