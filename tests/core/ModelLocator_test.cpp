// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Files.h>
#include <PSMFormer/core/ModelLocator.h>

#include <cstdlib>

namespace fs = std::filesystem;

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::TempDir;
    using ::testing::Contains;
    using ::testing::ElementsAre;

    fs::path install(const fs::path& folder, const std::string& name, const std::string& version)
    {
      const fs::path file = folder / name / version / (name + ".safetensors");
      fs::create_directories(file.parent_path());
      writeFileAtomically(file, std::string(300'000, 'w'));
      return file;
    }
  }

  TEST(ModelLocator, PathIsTakenAsItIs)
  {
    const TempDir folder;
    const fs::path file = folder / "own.safetensors";
    writeFileAtomically(file, "w");
    EXPECT_EQ(locateModel(file.string(), {}), file);
    expectError(ErrorKind::NOT_FOUND, "'./base' does not exist", [&] { locateModel("./base", {folder.path()}); });
    expectError(ErrorKind::NOT_FOUND, "'missing.safetensors' does not exist",
                [&] { locateModel("missing.safetensors", {folder.path()}); });
    expectError(ErrorKind::NOT_READABLE, "is a folder", [&] { locateModel(folder.path().string(), {}); });
  }

  TEST(ModelLocator, NameFindsTheNewestVersionBySemVer)
  {
    const TempDir folder;
    for (const std::string version : {"1.9.0", "1.10.0-rc.1", "1.10.0-rc.2", "0.11.0", "1.10.0-alpha"})
    {
      install(folder.path(), "base", version);
    }
    EXPECT_EQ(locateModel("base", {folder.path()}), folder.path() / "base/1.10.0-rc.2/base.safetensors");
    const fs::path released = install(folder.path(), "base", "1.10.0");
    install(folder.path(), "base", "latest");
    EXPECT_EQ(locateModel("base", {folder.path()}), released);
    EXPECT_EQ(locateModel("base@1.9.0", {folder.path()}), folder.path() / "base/1.9.0/base.safetensors");
  }

  TEST(ModelLocator, FirstFolderThatHasTheNameWins)
  {
    const TempDir first;
    const TempDir second;
    const fs::path old = install(first.path(), "base", "1.0.0");
    const fs::path recent = install(second.path(), "base", "2.0.0");
    const std::vector<fs::path> folders = {first / "missing", first.path(), second.path()};
    EXPECT_EQ(locateModel("base", folders), old);
    EXPECT_EQ(locateModel("base@2.0.0", folders), recent);
  }

  TEST(ModelLocator, UnknownNameListsWhatIsThere)
  {
    const TempDir folder;
    install(folder.path(), "base", "1.0.0");
    install(folder.path(), "tiny", "1.1.0");
    expectError(ErrorKind::NOT_FOUND, "base@1.0.0 (0.3 MB), tiny@1.1.0 (0.3 MB) in " + folder.path().string(),
                [&] { locateModel("bass", {folder.path()}); });
    expectError(ErrorKind::NOT_FOUND, "Model 'base@3.0.0' was not found",
                [&] { locateModel("base@3.0.0", {folder.path()}); });
    expectError(ErrorKind::NOT_FOUND, "no model in no folder", [] { locateModel("base", {}); });
  }

  TEST(ModelLocator, AModelThatTwoFoldersHaveIsListedOnce)
  {
    const TempDir first;
    const TempDir second;
    install(first.path(), "base", "1.0.0");
    install(second.path(), "base", "1.0.0");
    expectError(ErrorKind::NOT_FOUND, "there is base@1.0.0 (0.3 MB) in ",
                [&] {
                  locateModel("bass", {first.path(), second.path()});
                });
  }

  TEST(ModelLocator, TheFolderOfTheDataIsTakenForThatOfItsModels)
  {
    const TempDir folder;
    fs::create_directory(folder / "models");
    ::setenv("PSMFORMER_DATA_PATH", folder.path().c_str(), 1);
    const std::vector<fs::path> folders = modelFolders("");
    ::unsetenv("PSMFORMER_DATA_PATH");
    EXPECT_EQ(folders[0], folder / "models");
  }

  TEST(ModelLocator, FoldersComeInTheDocumentedOrder)
  {
    ::setenv("PSMFORMER_DATA_PATH", "/first::/second:/first", 1);
    const std::vector<fs::path> folders = modelFolders("/opt/psmformer/bin");
    ::unsetenv("PSMFORMER_DATA_PATH");
    ASSERT_GE(folders.size(), 4u);
    EXPECT_EQ(folders[0], "/first");
    EXPECT_EQ(folders[1], "/second");
    EXPECT_EQ(folders[2], "/opt/psmformer/share/PSMFormer/models");
    EXPECT_THAT(folders, Contains(fs::path(PSMFORMER_REPOSITORY) / "share/PSMFormer/models"));
    EXPECT_EQ(modelFolders("").size(), folders.size() - 3);
  }
}
