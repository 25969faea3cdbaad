// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <PSMFormer/core/Error.h>

#include <gmock/gmock.h>

#include <string>

namespace psmformer::test
{
  /// Expects that `action` throws an Error of a kind whose message contains `text`.
  template <typename Action> void expectError(ErrorKind kind, const std::string& text, const Action& action)
  {
    try
    {
      action();
      ADD_FAILURE() << "nothing was thrown instead of an error with '" << text << "'";
    }
    catch (const Error& error)
    {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_THAT(error.what(), ::testing::HasSubstr(text));
    }
  }
}
