// SPDX-License-Identifier: BSD-3-Clause
// Rows O10 and O12 to O15 of cases.tsv: what the tool needs to run, and what it leaves behind.
#include "Outcome.h"
#include "RobustnessFixture.h"
#include "StartProgram.h"

#include <PSMFormer/core/BatchPlanner.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <set>
#include <string>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

namespace psmformer::test
{
  namespace
  {
    namespace fs = std::filesystem;

    std::set<std::string> namesIn(const fs::path& folder)
    {
      std::set<std::string> names;
      for (const auto& entry : fs::directory_iterator(folder))
      {
        names.insert(entry.path().filename().string());
      }
      return names;
    }

    /// Whether a file that was not there before has content; whether it can be written is tried with empty ones.
    bool isWritten(const fs::path& folder, const std::set<std::string>& before)
    {
      const std::set<std::string> names = namesIn(folder);
      return std::any_of(names.begin(), names.end(),
                         [&](const std::string& name)
                         {
                           std::error_code gone;
                           const auto size = fs::file_size(folder / name, gone);
                           return before.count(name) == 0 && !gone && size > 0;
                         });
    }

    /// Peaks and sites that go through the network, padding included.
    std::size_t paddedTokens(const MatchTable& table)
    {
      const BatchLimits limits;
      std::size_t all = 0;
      for (const MatchBatch& batch : planBatches(table, limits))
      {
        std::size_t n_candidates = 0;
        for (const BatchRow& row : batch.rows)
        {
          n_candidates = std::max(n_candidates, row.matches.size());
        }
        const std::size_t tokens =
            batch.rows.size() * (table.spectra[0].mz.size() + 1 + n_candidates * table.peptides[0].length());
        EXPECT_LE(tokens, limits.max_tokens);
        all += tokens;
      }
      return all;
    }

    /// One spectrum of 150 peaks with this many candidates.
    MatchTable manyCandidates(std::size_t n)
    {
      MatchTable table;
      table.peptides = {makePeptide("LVNELTEFAK")};
      table.spectra.resize(1);
      for (std::size_t peak = 0; peak < 150; ++peak)
      {
        table.spectra[0].mz.push_back(200.0 + static_cast<double>(peak));
      }
      table.spectra[0].intensity.assign(150, 1.0F);
      table.matches.assign(n, {0, 0, 2, {}});
      return table;
    }

    int waitFor(pid_t process)
    {
      int status = 0;
      waitpid(process, &status, 0);
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    /// From here on this process is killed (SIGSYS) when it asks for an internet socket.
    void forbidNetwork()
    {
      const auto family = static_cast<std::uint32_t>(offsetof(seccomp_data, args[0]));
      sock_filter rules[] = {
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offsetof(seccomp_data, nr))),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 4),
          BPF_STMT(BPF_LD | BPF_W | BPF_ABS, family),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 1, 0),
          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 0, 1),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      };
      sock_fprog program = {static_cast<unsigned short>(sizeof rules / sizeof rules[0]), rules};
      if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
      {
        _exit(126);
      }
    }
  }

  // The program and one model file, in a folder of their own, with nothing to be found on PATH.
  TEST_F(Robustness, O10_OneProgramAndOneModelFileAreEnough)
  {
    write();
    const fs::path tool = folder_ / "alone" / "PSMFormer";
    fs::create_directory(tool.parent_path());
    fs::copy_file(PSMFORMER_TOOL, tool);
    fs::copy_file(model_, tool.parent_path() / "model.safetensors");
    const ToolResult result =
        runProgram("/usr/bin/env", {"-i", "PATH=/nonexistent", "OPENMS_HOME_PATH=" + folder_.path().string(),
                                    tool.string(), "-in", in_, "-in_spectra", spectra_, "-out", out_, "-model",
                                    (tool.parent_path() / "model.safetensors").string(), "-no_progress"});
    expectRescored(result);
    const ToolResult libraries = runProgram("ldd", {tool.string()});
    EXPECT_TRUE(libraries.says("libtorch_cpu")) << libraries.output;
    EXPECT_FALSE(libraries.says("python")) << libraries.output;
  }

  TEST_F(Robustness, O12_HundredsOfCandidatesAreScoredLikeFew)
  {
    TestRunOptions options;
    options.n_spectra = 3;
    options.n_unidentifiable = 0;
    options.n_hits = 400;
    run_ = makeTestRun(options);
    write();
    const Identifications all = expectRescored(rescore());
    EXPECT_EQ(countHits(all.identifications), 1200U);
    const auto logits = logitsOf(all);
    for (auto& identification : run_.identifications)
    {
      auto hits = identification.getHits();
      hits.resize(2);
      identification.setHits(hits);
    }
    write();
    for (const auto& [match, logit] : logitsOf(expectRescored(rescore())))
    {
      ASSERT_TRUE(logits.count(match)) << match;
      EXPECT_NEAR(logits.at(match), logit, 1e-5) << match;
    }
  }

  TEST_F(Robustness, O12_WorkIsProportionalToTheNumberOfHits)
  {
    const std::size_t few = paddedTokens(manyCandidates(200));
    EXPECT_LE(paddedTokens(manyCandidates(800)), few * 4 + 2000);
    EXPECT_LE(paddedTokens(manyCandidates(3200)), few * 16 + 2000);
  }

  // The spectra are damaged, which would be reported if they were looked at.
  TEST_F(Robustness, O13_WrongExtensionIsReportedBeforeSpectraAreLoaded)
  {
    write();
    writeFileAtomically(spectra_, "<mzML>");
    expectExit(rescore({"-out_features", (folder_ / "features.html").string()}), 6, "features.html");
    expectExit(rescore({"-out_pin", (folder_ / "run.idXML").string()}), 6, "run.idXML");
    expectExit(rescore({"-out_report", (folder_ / "report.tsv").string()}), 6, "report.tsv");
    out_ = (folder_ / "out.mzML").string();
    expectExit(rescore(), 6, "out.mzML");
  }

  TEST_F(Robustness, O13_UnreadableModelIsReportedBeforeSpectraAreLoaded)
  {
    write();
    writeFileAtomically(spectra_, "<mzML>");
    const std::string model = readFile(model_);
    model_ = (folder_ / "short.safetensors").string();
    writeFileAtomically(model_, model.substr(0, model.size() / 2));
    expectExit(rescore(), 3, "short.safetensors");
  }

  // The disk is full in the middle of one of four outputs: the others are whole or absent, and nothing else is left.
  TEST_F(Robustness, O14_FullDiskLeavesWholeFilesOnly)
  {
    write();
    const std::vector<std::string> arguments = {"-in",           in_,
                                                "-in_spectra",   spectra_,
                                                "-out",          out_,
                                                "-model",        model_,
                                                "-no_progress",  "-test",
                                                "-out_pin",      (folder_ / "run.tsv").string(),
                                                "-out_features", (folder_ / "features.tsv").string(),
                                                "-out_report",   (folder_ / "report.html").string()};
    const std::set<std::string> before = namesIn(folder_.path());
    ASSERT_EQ(runProgram(PSMFORMER_TOOL, arguments).exit_code, 0);
    const std::set<std::string> outputs = {"out.idXML", "run.tsv", "features.tsv", "report.html"};
    std::map<std::string, std::string> whole;
    for (const std::string& name : outputs)
    {
      whole[name] = readFile(folder_ / name);
    }
    for (const std::string n_kilobytes : {"1", "16", "64", "128"})
    {
      for (const std::string& name : outputs)
      {
        fs::remove(folder_ / name);
      }
      std::vector<std::string> limited = {"-c", "trap '' XFSZ; ulimit -f " + n_kilobytes + "; exec \"$@\"", "limited",
                                          PSMFORMER_TOOL};
      limited.insert(limited.end(), arguments.begin(), arguments.end());
      const ToolResult result = runProgram("/bin/bash", limited);
      EXPECT_EQ(result.exit_code, 5) << n_kilobytes << " kB: " << result.output;
      EXPECT_FALSE(hasOutput()) << n_kilobytes << " kB";
      for (const std::string& name : namesIn(folder_.path()))
      {
        EXPECT_TRUE(before.count(name) || outputs.count(name)) << n_kilobytes << " kB left " << name;
        if (outputs.count(name))
        {
          EXPECT_EQ(readFile(folder_ / name).size(), whole[name].size()) << n_kilobytes << " kB: " << name;
        }
      }
    }
  }

  // Killed at the first sign of an output file.
  TEST_F(Robustness, O14_KilledWhileWritingThereIsNoPartialOutput)
  {
    TestRunOptions options;
    options.n_spectra = 1500;
    run_ = makeTestRun(options);
    write();
    const std::set<std::string> before = namesIn(folder_.path());
    const pid_t process = start(
        PSMFORMER_TOOL,
        {"-in", in_, "-in_spectra", spectra_, "-out", out_, "-model", model_, "-no_progress", "-write_features", "all"},
        [] {});
    bool is_written = false;
    while (!is_written && waitpid(process, nullptr, WNOHANG) == 0)
    {
      is_written = isWritten(folder_.path(), before);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
    EXPECT_TRUE(is_written) << "nothing was ever written";
    if (hasOutput())
    {
      EXPECT_EQ(countHits(output().identifications), countHits(run_.identifications));
    }
  }

  TEST_F(Robustness, O15_NoConnectionIsAttempted)
  {
    write();
    const std::vector<std::string> arguments = {"-in", in_,      "-in_spectra", spectra_,      "-out",
                                                out_,  "-model", model_,        "-no_progress"};
    const pid_t process = start(PSMFORMER_TOOL, arguments,
                                []
                                {
                                  unsetenv("OPENMS_DISABLE_UPDATE_CHECK");
                                  forbidNetwork();
                                });
    EXPECT_EQ(waitFor(process), 0);
    EXPECT_TRUE(hasOutput());
  }

  // The same, where there is an attempt: the test above can fail.
  TEST_F(Robustness, O15_AConnectionWouldBeNoticed)
  {
    const pid_t process = start("/bin/bash", {"-c", "exec 3<>/dev/tcp/127.0.0.1/9"}, forbidNetwork);
    EXPECT_EQ(waitFor(process), 128 + SIGSYS);
  }
}
