// SPDX-License-Identifier: BSD-3-Clause
#include "support/ExpectError.h"
#include "support/TempDir.h"

#include <PSMFormer/core/Files.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace psmformer
{
  namespace
  {
    using test::expectError;
    using test::TempDir;

    std::size_t entriesIn(const fs::path& folder)
    {
      return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    /// Files cannot grow beyond a size: what a full disk does to a writer, without filling a disk.
    class FileSizeLimit
    {
    public:
      explicit FileSizeLimit(rlim_t bytes)
      {
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limited{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limited);
      }
      ~FileSizeLimit()
      {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
      }
      FileSizeLimit(const FileSizeLimit&) = delete;
      FileSizeLimit& operator=(const FileSizeLimit&) = delete;

    private:
      rlimit before_{};
      void (*handler_)(int) = nullptr;
    };

    /// The superuser may write everywhere; while this lives, the test is nobody in particular.
    class OrdinaryUser
    {
    public:
      OrdinaryUser()
      {
        constexpr uid_t NOBODY = 65534;
        changed_ = ::geteuid() == 0 && ::seteuid(NOBODY) == 0;
      }
      ~OrdinaryUser()
      {
        if (changed_)
        {
          EXPECT_EQ(::seteuid(0), 0);
        }
      }
      OrdinaryUser(const OrdinaryUser&) = delete;
      OrdinaryUser& operator=(const OrdinaryUser&) = delete;

    private:
      bool changed_ = false;
    };

    void writeCarelessly(const fs::path& file, std::size_t bytes)
    {
      std::ofstream(file) << std::string(bytes, 'x');
    }
  }

  TEST(Files, Sha256AgreesWithTheStandard)
  {
    // FIPS 180-2, appendix B.1
    EXPECT_EQ(sha256Hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abc").size(), 32u);
    EXPECT_EQ(sha256("abc")[0], 0xba);
    EXPECT_EQ(sha256Hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  }

  TEST(Files, WhatIsWrittenIsRead)
  {
    const TempDir folder;
    const std::string content("line\n\0binary\xff", 13);
    writeFileAtomically(folder / "a.bin", "before");
    writeFileAtomically(folder / "a.bin", content);
    EXPECT_EQ(readFile(folder / "a.bin"), content);
    EXPECT_EQ(entriesIn(folder.path()), 1u);
  }

  TEST(Files, EmptyFileIsReadAsEmpty)
  {
    const TempDir folder;
    writeFileAtomically(folder / "empty", "");
    EXPECT_EQ(readFile(folder / "empty"), "");
  }

  TEST(Files, MissingFileIsNotFound)
  {
    const TempDir folder;
    expectError(ErrorKind::NOT_FOUND, "missing.bin", [&] { readFile(folder / "missing.bin"); });
  }

  TEST(Files, FolderCannotBeReadAsFile)
  {
    const TempDir folder;
    expectError(ErrorKind::NOT_READABLE, "it is a folder", [&] { readFile(folder.path()); });
  }

  TEST(Files, MissingFolderCannotBeWritten)
  {
    const TempDir folder;
    const fs::path file = folder / "no/such/a.bin";
    expectError(ErrorKind::CANNOT_WRITE, file.string(), [&] { writeFileAtomically(file, "x"); });
    expectError(ErrorKind::CANNOT_WRITE, "does not exist",
                [&] { writeThroughTemporary(file, [](const fs::path&) { FAIL() << "the writer was called"; }); });
  }

  TEST(Files, FolderWithoutPermissionCannotBeWritten)
  {
    const TempDir folder;
    ::chmod(folder.path().c_str(), 0500);
    const OrdinaryUser user;
    expectError(ErrorKind::CANNOT_WRITE, "Permission denied", [&] { writeFileAtomically(folder / "a.bin", "x"); });
    expectError(ErrorKind::CANNOT_WRITE, "a.bin",
                [&]
                { writeThroughTemporary(folder / "a.bin", [](const fs::path& file) { writeCarelessly(file, 1); }); });
  }

  TEST(Files, FullDiskLeavesTheOldFile)
  {
    const TempDir folder;
    writeFileAtomically(folder / "a.bin", "before");
    {
      const FileSizeLimit limit(100'000);
      expectError(ErrorKind::CANNOT_WRITE, "a.bin",
                  [&] { writeFileAtomically(folder / "a.bin", std::string(1'000'000, 'x')); });
    }
    EXPECT_EQ(readFile(folder / "a.bin"), "before");
    EXPECT_EQ(entriesIn(folder.path()), 1u);
  }

  TEST(Files, FullDiskIsNoticedWhenTheWriterDoesNot)
  {
    const TempDir folder;
    {
      const FileSizeLimit limit(100'000);
      const auto write = [](const fs::path& file)
      {
        writeCarelessly(file, 1'000'000);
      };
      expectError(ErrorKind::CANNOT_WRITE, "incomplete", [&] { writeThroughTemporary(folder / "a.idXML", write); });
    }
    EXPECT_EQ(entriesIn(folder.path()), 0u);
  }

  TEST(Files, WriterGetsTheFinalNameAndExactContentArrives)
  {
    const TempDir folder;
    writeFileAtomically(folder / "a.idXML", "before");
    fs::path seen;
    writeThroughTemporary(folder / "a.idXML",
                          [&](const fs::path& file)
                          {
                            seen = file;
                            EXPECT_EQ(readFile(folder / "a.idXML"), "before");
                            writeCarelessly(file, 5);
                          });
    EXPECT_NE(seen, folder / "a.idXML");
    EXPECT_EQ(seen.filename(), "a.idXML");
    EXPECT_EQ(readFile(folder / "a.idXML"), "xxxxx");
    EXPECT_EQ(entriesIn(folder.path()), 1u);
  }

  TEST(Files, NothingIsLeftWhenTheWriterThrows)
  {
    const TempDir folder;
    const auto write = [](const fs::path& file)
    {
      writeCarelessly(file, 5);
      throw std::logic_error("planned");
    };
    EXPECT_THROW(writeThroughTemporary(folder / "a.idXML", write), std::logic_error);
    EXPECT_EQ(entriesIn(folder.path()), 0u);
  }

  TEST(Files, WriterThatLeavesNoFileIsAnError)
  {
    const TempDir folder;
    expectError(ErrorKind::CANNOT_WRITE, "left no file",
                [&] { writeThroughTemporary(folder / "a.idXML", [](const fs::path&) {}); });
  }

  TEST(Files, LinkIsKeptAndItsTargetReplaced)
  {
    const TempDir folder;
    writeFileAtomically(folder / "target", "before");
    fs::create_symlink(folder / "target", folder / "link");
    writeThroughTemporary(folder / "link", [](const fs::path& file) { writeCarelessly(file, 3); });
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(readFile(folder / "target"), "xxx");
    writeFileAtomically(folder / "link", "again");
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(readFile(folder / "target"), "again");
  }

  TEST(Files, DeviceIsWrittenNotReplaced)
  {
    writeFileAtomically("/dev/null", "gone");
    writeThroughTemporary("/dev/null", [](const fs::path& file) { EXPECT_EQ(file, "/dev/null"); });
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    expectError(ErrorKind::CANNOT_WRITE, "/dev/full", [] { writeFileAtomically("/dev/full", "no space"); });
  }

  TEST(Files, NewFilesHaveDefaultPermissions)
  {
    const TempDir folder;
    const mode_t mask = ::umask(022);
    writeFileAtomically(folder / "a", "x");
    writeThroughTemporary(folder / "b", [](const fs::path& file) { writeCarelessly(file, 1); });
    ::umask(mask);
    EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "a").permissions()), 0644u);
    EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "b").permissions()), 0644u);
  }
}
