// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace psmformer
{
  /// A small random generator whose numbers are the same with every compiler and standard library.
  ///
  /// SplitMix64: Steele, Lea & Flood 2014, doi:10.1145/2714064.2660195. std::shuffle and the std distributions differ
  /// between standard libraries, so they are not used where a result is stored.
  class Random
  {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    /// A generator for item `index` of a stream, independent of how many numbers others have drawn.
    static Random forItem(std::uint64_t seed, std::uint64_t epoch, std::uint64_t index);

    std::uint64_t next();

    /// Uniform in [0, 1).
    double uniform();

    /// Uniform in {0, ..., n - 1}; n >= 1.
    std::size_t below(std::size_t n);

    /// Normal with mean 0 and standard deviation 1 (Box & Muller 1958).
    double normal();

    /// Fisher-Yates shuffle.
    template <typename T> void shuffle(std::vector<T>& items)
    {
      for (std::size_t i = items.size(); i > 1; --i)
      {
        std::swap(items[i - 1], items[below(i)]);
      }
    }

  private:
    std::uint64_t state_;
  };
}
