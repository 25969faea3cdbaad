// SPDX-License-Identifier: BSD-3-Clause
// Rows O03, O04, O08 and O09 of cases.tsv: what the build and the running tool promise. O05 is in CMakeLists.txt.
#include "Outcome.h"
#include "RobustnessFixture.h"
#include "StartProgram.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace psmformer::test
{
  namespace
  {
    namespace fs = std::filesystem;

#ifdef QT_NO_KEYWORDS
    constexpr bool QT_KEYWORDS = false;
#else
    constexpr bool QT_KEYWORDS = true;
#endif

    std::vector<fs::path> sourcesBelow(const std::string& folder)
    {
      std::vector<fs::path> files;
      for (const auto& entry : fs::recursive_directory_iterator(fs::path(PSMFORMER_REPOSITORY) / folder))
      {
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
        {
          files.push_back(entry.path());
        }
      }
      return files;
    }

    /// The headers of this project and others that a file includes, with those that its own headers include.
    void collectIncludes(const fs::path& file, std::set<std::string>& includes)
    {
      static const std::regex include(R"(^\s*#\s*include\s*[<"]([^>"]+)[>"])");
      std::ifstream lines(file);
      for (std::string line; std::getline(lines, line);)
      {
        std::smatch match;
        if (!std::regex_search(line, match, include) || !includes.insert(match[1]).second)
        {
          continue;
        }
        const fs::path root(PSMFORMER_REPOSITORY);
        for (const fs::path& folder : {file.parent_path(), root / "include", root / "src/core", root / "src/model"})
        {
          if (fs::is_regular_file(folder / match[1].str()))
          {
            collectIncludes(folder / match[1].str(), includes);
            break;
          }
        }
      }
    }

    bool anyMatches(const std::set<std::string>& texts, const std::string& pattern)
    {
      const std::regex regex(pattern);
      return std::any_of(texts.begin(), texts.end(), [&](const std::string& t) { return std::regex_match(t, regex); });
    }

    /// The tool while it runs: its processes and threads, seen every few milliseconds.
    struct Watched
    {
      int exit_code = -1;
      bool had_children = false;
      std::size_t most_threads = 0;
    };

    Watched watch(const std::string& program, std::vector<std::string> arguments)
    {
      const pid_t process = start(program, std::move(arguments), [] {});
      Watched watched;
      int status = 0;
      while (waitpid(process, &status, WNOHANG) == 0)
      {
        std::size_t n_threads = 0;
        std::error_code ended;
        for (fs::directory_iterator thread(fs::path("/proc") / std::to_string(process) / "task", ended), end;
             !ended && thread != end; thread.increment(ended))
        {
          ++n_threads;
          std::ifstream children(thread->path() / "children");
          std::string child;
          watched.had_children = watched.had_children || static_cast<bool>(children >> child);
        }
        watched.most_threads = std::max(watched.most_threads, n_threads);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      watched.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      return watched;
    }
  }

  // OpenMS 2.6 does not export Eigen; from 3 on, its package file needs the target to exist before it is read.
  TEST_F(Robustness, O03_EigenIsFoundBeforeOpenMS)
  {
    const std::string text = readFile(fs::path(PSMFORMER_REPOSITORY) / "share/cmake/OpenMSTarget.cmake");
    const std::size_t eigen = text.find("find_package(Eigen3");
    const std::size_t openms = text.find("find_package(OpenMS ");
    ASSERT_NE(eigen, std::string::npos);
    ASSERT_NE(openms, std::string::npos);
    EXPECT_LT(eigen, openms);
    const std::string root = readFile(fs::path(PSMFORMER_REPOSITORY) / "CMakeLists.txt");
    EXPECT_EQ(root.find("find_package(OpenMS"), std::string::npos) << "only OpenMSTarget.cmake may look for OpenMS";
  }

  TEST_F(Robustness, O04_NoTranslationUnitHasQtAndTorch)
  {
    EXPECT_FALSE(QT_KEYWORDS) << "what links OpenMS must be compiled with QT_NO_KEYWORDS";
    std::size_t n_torch = 0;
    std::size_t n_qt = 0;
    for (const std::string folder : {"src", "tests"})
    {
      for (const fs::path& file : sourcesBelow(folder))
      {
        if (file.extension() != ".cpp" || file.string().find("tests/layering/bad") != std::string::npos)
        {
          continue;
        }
        std::set<std::string> includes;
        collectIncludes(file, includes);
        const bool has_torch = anyMatches(includes, "(torch|ATen|c10)/.*");
        const bool has_qt = anyMatches(includes, "Q[A-Z][A-Za-z]*|Qt[A-Z][A-Za-z]*/.*|OpenMS/.*"); // OpenMS includes Qt
        EXPECT_FALSE(has_torch && has_qt) << file;
        n_torch += has_torch ? 1 : 0;
        n_qt += has_qt ? 1 : 0;
      }
    }
    EXPECT_GT(n_torch, 5U);
    EXPECT_GT(n_qt, 5U);
  }

  TEST_F(Robustness, O08_ThreadsOfOneProcessDoTheWork)
  {
    write();
    const Watched watched =
        watch(PSMFORMER_TOOL, {"-in", in_, "-in_spectra", spectra_, "-out", out_, "-model", model_, "-threads", "2",
                               "-no_progress", "-log", (folder_ / "log").string()});
    EXPECT_EQ(watched.exit_code, 0);
    EXPECT_TRUE(hasOutput());
    EXPECT_FALSE(watched.had_children);
    EXPECT_GE(watched.most_threads, 2U);
  }

  TEST_F(Robustness, O08_NoSourceStartsAProcess)
  {
    const std::regex start(R"(\b(fork|vfork|posix_spawnp?|popen|system|QProcess|boost::process)\s*[(:]|\bQProcess\b)");
    for (const std::string folder : {"src", "include"})
    {
      for (const fs::path& file : sourcesBelow(folder))
      {
        EXPECT_FALSE(std::regex_search(readFile(file), start)) << file;
      }
    }
  }

  TEST_F(Robustness, O09_SameBytesForAnyNumberOfThreads)
  {
    write();
    ASSERT_EQ(rescore({"-threads", "1"}).exit_code, 0);
    const std::string expected = readFile(out_);
    for (const std::string threads : {"1", "2", "2", "3"})
    {
      ASSERT_EQ(rescore({"-threads", threads}).exit_code, 0);
      EXPECT_TRUE(readFile(out_) == expected) << "-threads " << threads << " wrote something else";
    }
  }
}
