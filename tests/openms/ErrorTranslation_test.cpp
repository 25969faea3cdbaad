// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/openms/ErrorTranslation.h>

#include <OpenMS/CONCEPT/Exception.h>

#include <gtest/gtest.h>

#include <map>
#include <new>
#include <stdexcept>

namespace psmformer
{
  namespace
  {
    template <typename Exception> int exitCodeAfter(const Exception& exception)
    {
      return runWithErrorBoundary([&]() -> OpenMS::TOPPBase::ExitCodes { throw exception; });
    }

    /// Numbers, not names: scripts of users compare with them.
    TEST(ErrorTranslation, EveryKindHasTheDocumentedExitCode)
    {
      const std::map<ErrorKind, int> documented = {
          {ErrorKind::NOT_FOUND, 1},      {ErrorKind::NOT_READABLE, 2},        {ErrorKind::DAMAGED_INPUT, 3},
          {ErrorKind::INVALID_MODEL, 3},  {ErrorKind::CANNOT_WRITE, 5},        {ErrorKind::OPTION, 6},
          {ErrorKind::INVALID_INPUT, 11}, {ErrorKind::INCOMPATIBLE_MODEL, 11}, {ErrorKind::INTERNAL, 12}};
      for (const auto& [kind, code] : documented)
      {
        EXPECT_EQ(exitCodeOf(kind), code);
        EXPECT_EQ(exitCodeAfter(Error(kind, "text")), code);
      }
    }

    TEST(ErrorTranslation, MemoryAndWhatNobodyExpectedHaveTheirs)
    {
      EXPECT_EQ(exitCodeAfter(std::bad_alloc()), 13);
      EXPECT_EQ(exitCodeAfter(OpenMS::Exception::OutOfMemory(__FILE__, __LINE__, "", 1)), 13);
      EXPECT_EQ(exitCodeAfter(std::runtime_error("text")), 12);
      EXPECT_EQ(exitCodeAfter(7), 12);
      EXPECT_EQ(runWithErrorBoundary([] { return OpenMS::TOPPBase::EXECUTION_OK; }), 0);
    }

    TEST(ErrorTranslation, ExceptionsOfOpenMSAreLeftToIt)
    {
      EXPECT_THROW(exitCodeAfter(OpenMS::Exception::FileEmpty(__FILE__, __LINE__, "", "file")),
                   OpenMS::Exception::FileEmpty);
    }
  }
}
