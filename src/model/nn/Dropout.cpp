// SPDX-License-Identifier: BSD-3-Clause
#include "Dropout.h"

#include <PSMFormer/core/Error.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace psmformer::nn
{
  namespace
  {
    /// A 64-bit random number decides on this many values, by 16 bits each.
    constexpr std::int64_t VALUES_PER_WORD = 4;
    constexpr double N_LEVELS = 65536.0;

    /// Word `counter` of the SplitMix64 stream that starts at `seed`.
    std::uint64_t randomWord(std::uint64_t seed, std::uint64_t counter)
    {
      std::uint64_t word = seed + (counter + 1) * 0x9E3779B97F4A7C15ULL;
      word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9ULL;
      word = (word ^ (word >> 27U)) * 0x94D049BB133111EBULL;
      return word ^ (word >> 31U);
    }

    std::array<float, VALUES_PER_WORD> factors(std::uint64_t word, std::uint64_t threshold, float kept)
    {
      std::array<float, VALUES_PER_WORD> values{};
      for (std::size_t k = 0; k < values.size(); ++k)
      {
        values[k] = ((word >> (16U * k)) & 0xFFFFU) < threshold ? 0.0F : kept;
      }
      return values;
    }

    /// 0 with the given probability, else what keeps the expectation; float32, contiguous.
    at::Tensor drawMask(at::IntArrayRef shape, double probability)
    {
      at::Tensor mask = at::empty(shape, torch::kFloat32);
      const auto threshold = static_cast<std::uint64_t>(std::llround(probability * N_LEVELS));
      const auto kept = static_cast<float>(N_LEVELS / (N_LEVELS - static_cast<double>(threshold)));
      const auto seed = static_cast<std::uint64_t>(
          at::randint(std::numeric_limits<std::int64_t>::max(), {1}, torch::kInt64).item<std::int64_t>());
      auto* values = mask.data_ptr<float>();
      const std::int64_t n_words = mask.numel() / VALUES_PER_WORD;
      for (std::int64_t w = 0; w < n_words; ++w)
      {
        const auto four = factors(randomWord(seed, static_cast<std::uint64_t>(w)), threshold, kept);
        std::copy(four.begin(), four.end(), values + w * VALUES_PER_WORD);
      }
      const auto last = factors(randomWord(seed, static_cast<std::uint64_t>(n_words)), threshold, kept);
      std::copy_n(last.begin(), mask.numel() % VALUES_PER_WORD, values + n_words * VALUES_PER_WORD);
      return mask;
    }
  }

  DropoutImpl::DropoutImpl(double probability) : probability_(probability)
  {
    require(probability >= 0.0 && probability < 1.0, ErrorKind::INVALID_MODEL,
            "The model's dropout " + std::to_string(probability) +
                " is out of range; it must be at least 0 and below 1.");
  }

  at::Tensor DropoutImpl::forward(const at::Tensor& x)
  {
    if (!is_training() || probability_ == 0.0)
    {
      return x;
    }
    if (!x.device().is_cpu())
    {
      return at::dropout(x, probability_, true);
    }
    return x * drawMask(x.sizes(), probability_).to(x.scalar_type());
  }
}
