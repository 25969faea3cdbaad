// SPDX-License-Identifier: BSD-3-Clause
#include <PSMFormer/core/Error.h>
#include <PSMFormer/core/Files.h>

#include <QtCore/QByteArray>
#include <QtCore/QCryptographicHash>
#include <QtCore/QFile>
#include <QtCore/QSaveFile>
#include <QtCore/QTemporaryDir>

#include <algorithm>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace psmformer
{
  namespace
  {
    /// Qt 5 counts bytes in int, so that long contents are handed over in pieces.
    constexpr std::size_t PIECE_BYTES = std::size_t(1) << 28;

    /// A writer that ignores a full disk loses at most what its buffer held when the disk became full; a file system
    /// without room for this many bytes more is taken as full.
    constexpr qint64 PROBE_BYTES = 65536;

    QString toQString(const fs::path& path)
    {
      return QFile::decodeName(path.c_str());
    }

    [[noreturn]] void failWriting(const fs::path& file, const std::string& reason)
    {
      throw Error(ErrorKind::CANNOT_WRITE, "Cannot write '" + file.string() + "': " + reason +
                                               "; choose a folder that is writable and has space.");
    }

    QByteArray digest(const std::string& bytes)
    {
      QCryptographicHash hash(QCryptographicHash::Sha256);
      for (std::size_t begin = 0; begin < bytes.size(); begin += PIECE_BYTES)
      {
        hash.addData(bytes.data() + begin, static_cast<int>(std::min(PIECE_BYTES, bytes.size() - begin)));
      }
      return hash.result();
    }

    /// Like the function of std, but false instead of an exception where the path cannot be looked at.
    bool isFolder(const fs::path& path)
    {
      std::error_code ignored;
      return fs::is_directory(path, ignored);
    }

    /// Devices and pipes are written directly: renaming a file over /dev/null would replace the device.
    bool isSpecial(const fs::path& file)
    {
      std::error_code ignored;
      const fs::file_status status = fs::status(file, ignored);
      return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
    }

    /// The file that a path leads to, so that a symbolic link is kept and its target replaced.
    fs::path resolveLinks(const fs::path& file)
    {
      std::error_code error;
      const fs::path resolved = fs::is_symlink(file, error) ? fs::weakly_canonical(file, error) : file;
      return error || resolved.empty() ? file : resolved;
    }

    void writeAll(QFileDevice& device, const std::string& content, const fs::path& file)
    {
      const auto size = static_cast<qint64>(content.size());
      if (device.write(content.data(), size) != size || !device.flush())
      {
        failWriting(file, device.errorString().toStdString());
      }
    }

    /// Stores what was written on the disk, or reports that the disk had no room for all of it.
    void synchronise(const fs::path& written, const fs::path& file)
    {
      QFile device(toQString(written));
      if (!device.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered))
      {
        failWriting(file, device.errorString().toStdString());
      }
      const qint64 size = device.size();
      const bool has_room =
          device.write(QByteArray(static_cast<int>(PROBE_BYTES), '\0')) == PROBE_BYTES && ::fsync(device.handle()) == 0;
      const std::string reason = device.errorString().toStdString();
      if (!has_room)
      {
        failWriting(file, "the result is incomplete (" + reason + ")");
      }
      if (!device.resize(size) || ::fsync(device.handle()) != 0)
      {
        failWriting(file, device.errorString().toStdString());
      }
    }
  }

  std::vector<std::uint8_t> sha256(const std::string& bytes)
  {
    const QByteArray hash = digest(bytes);
    return {hash.begin(), hash.end()};
  }

  std::string sha256Hex(const std::string& bytes)
  {
    return digest(bytes).toHex().toStdString();
  }

  std::string readFile(const fs::path& file)
  {
    QFile device(toQString(file));
    if (!device.exists())
    {
      throw Error(ErrorKind::NOT_FOUND, "File '" + file.string() + "' does not exist; check the path.");
    }
    if (isFolder(file) || !device.open(QIODevice::ReadOnly))
    {
      const std::string reason = isFolder(file) ? "it is a folder" : device.errorString().toStdString();
      throw Error(ErrorKind::NOT_READABLE,
                  "File '" + file.string() + "' cannot be read (" + reason + "); check its permissions.");
    }
    std::string content;
    while (!device.atEnd())
    {
      const QByteArray piece = device.read(static_cast<qint64>(PIECE_BYTES));
      if (piece.isEmpty())
      {
        break;
      }
      content.append(piece.constData(), static_cast<std::size_t>(piece.size()));
    }
    require(device.error() == QFileDevice::NoError, ErrorKind::NOT_READABLE,
            "File '" + file.string() + "' cannot be read (" + device.errorString().toStdString() +
                "); check the disk it is on.");
    return content;
  }

  void writeFileAtomically(const fs::path& file, const std::string& content)
  {
    if (isSpecial(file))
    {
      QFile device(toQString(file));
      if (!device.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
      {
        failWriting(file, device.errorString().toStdString());
      }
      writeAll(device, content, file);
      return;
    }
    QSaveFile device(toQString(file));
    if (!device.open(QIODevice::WriteOnly))
    {
      failWriting(file, device.errorString().toStdString());
    }
    writeAll(device, content, file);
    if (!device.commit())
    {
      failWriting(file, device.errorString().toStdString());
    }
  }

  void writeThroughTemporary(const fs::path& file, const std::function<void(const fs::path&)>& write)
  {
    if (isSpecial(file))
    {
      write(file);
      return;
    }
    const fs::path target = resolveLinks(file);
    if (isFolder(target))
    {
      failWriting(file, "it is a folder");
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    // A folder of its own lets the temporary file have the final name (writers look at it) and default permissions.
    const QTemporaryDir temporary(toQString(folder / ("." + target.filename().string())));
    if (!temporary.isValid())
    {
      failWriting(file, isFolder(folder) ? temporary.errorString().toStdString()
                                         : "folder '" + folder.string() + "' does not exist");
    }
    const fs::path written = fs::path(QFile::encodeName(temporary.path()).toStdString()) / target.filename();
    write(written);
    std::error_code error;
    if (!fs::is_regular_file(written, error))
    {
      failWriting(file, "the writer left no file");
    }
    synchronise(written, file);
    fs::rename(written, target, error);
    if (error)
    {
      failWriting(file, error.message());
    }
  }
}
