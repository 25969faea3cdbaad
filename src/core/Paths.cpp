// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Paths.h>

#include <QtCore/QByteArray>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>

#include <cstdlib>
#include <system_error>

namespace fs = std::filesystem;

namespace psmformer
{
  bool isSameFile(const fs::path& first, const fs::path& second)
  {
    const auto resolved = [](const fs::path& path)
    {
      std::error_code error;
      const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
      return error ? path : whole;
    };
    std::error_code ignored;
    return !fs::is_other(first, ignored) && resolved(first) == resolved(second);
  }

  fs::path makeTemporaryFolder()
  {
    const char* const chosen = std::getenv("TMPDIR"); // QDir::tempPath() is the working folder where it does not exist
    const fs::path parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
    QTemporaryDir folder(QFile::decodeName((parent / "psmformer").c_str()));
    require(folder.isValid(), ErrorKind::CANNOT_WRITE,
            "No temporary file can be made in the folder '" + parent.string() +
                "'; set TMPDIR to one that is writable and has space.");
    folder.setAutoRemove(false);
    return QFile::encodeName(folder.path()).toStdString();
  }

  std::string percentDecoded(const std::string& text)
  {
    return QByteArray::fromPercentEncoding(QByteArray::fromStdString(text)).toStdString();
  }
}
