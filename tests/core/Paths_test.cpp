// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/Paths.h>

#include <gtest/gtest.h>

#include <cstdlib>

namespace fs = std::filesystem;

namespace psmformer
{
  using test::TempDir;

  TEST(Paths, ToOneFileAreTold)
  {
    const TempDir folder;
    writeFileAtomically(folder / "a", "x");
    fs::create_symlink(folder / "a", folder / "link");
    EXPECT_TRUE(isSameFile(folder / "a", folder / "." / "a"));
    EXPECT_TRUE(isSameFile(folder / "link", folder / "a"));
    EXPECT_TRUE(isSameFile(folder / "new", folder / "none" / ".." / "new"));
    EXPECT_TRUE(isSameFile("new", fs::current_path() / "new"));
    EXPECT_FALSE(isSameFile(folder / "a", folder / "b"));
    EXPECT_FALSE(isSameFile("/dev/null", "/dev/null"));
  }

  TEST(Paths, TemporaryFoldersNeedAPlace)
  {
    const TempDir folder;
    ::setenv("TMPDIR", folder.path().c_str(), 1);
    const fs::path made = makeTemporaryFolder();
    EXPECT_TRUE(fs::is_directory(made));
    EXPECT_EQ(made.parent_path(), folder.path());
    ::setenv("TMPDIR", (folder / "none").c_str(), 1);
    test::expectError(ErrorKind::CANNOT_WRITE, "none'; set TMPDIR", [] { makeTemporaryFolder(); });
    ::unsetenv("TMPDIR");
  }

  TEST(Paths, NamesInURIsAreDecoded)
  {
    EXPECT_EQ(percentDecoded("a%20run%2C%20100%C3%A4.mzML"), "a run, 100\u00e4.mzML");
    EXPECT_EQ(percentDecoded("run.mzML"), "run.mzML");
  }
}
