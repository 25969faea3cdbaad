// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Random.h>

#include <cmath>

namespace psmformer
{
  namespace
  {
    constexpr std::uint64_t GOLDEN_GAMMA = 0x9E3779B97F4A7C15ULL;

    // Stafford's variant 13 of the MurmurHash3 finaliser, as in Steele, Lea & Flood 2014 (java.util.SplittableRandom).
    std::uint64_t mix(std::uint64_t z)
    {
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
      return z ^ (z >> 31);
    }
  }

  Random Random::forItem(std::uint64_t seed, std::uint64_t epoch, std::uint64_t index)
  {
    // Every step is mixed, otherwise neighbouring items would walk along one stream, a step apart.
    std::uint64_t state = mix(seed + GOLDEN_GAMMA);
    state = mix((state ^ epoch) + GOLDEN_GAMMA);
    state = mix((state ^ index) + GOLDEN_GAMMA);
    return Random(state);
  }

  std::uint64_t Random::next()
  {
    state_ += GOLDEN_GAMMA;
    return mix(state_);
  }

  double Random::uniform()
  {
    // 53 bits are the precision of a double.
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
  }

  std::size_t Random::below(std::size_t n)
  {
    if (n == 0) // not require(): making its message would take longer than drawing
    {
      throw Error(ErrorKind::INTERNAL, "Random::below needs at least one number to choose from.");
    }
    const std::uint64_t bound = n;
    // The numbers below this remainder would make small results more frequent; they are drawn again.
    const std::uint64_t first_fair = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < first_fair)
    {
      drawn = next();
    }
    return static_cast<std::size_t>(drawn % bound);
  }

  double Random::normal()
  {
    constexpr double TWO_PI = 6.283185307179586;
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(TWO_PI * uniform());
  }
}
