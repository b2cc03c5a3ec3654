import Glibc

extension FileFolder {
    /// The files of the folder that were last written at a time or before it. It blocks.
    /// - Parameter time: In seconds since 1970.
    func names(writtenUpTo time: Int) throws -> [String] {
        // A descriptor of its own, because reading moves it.
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let folder = fdopendir(copy) else {
            let code = errno
            if copy >= 0 { close(copy) }
            throw FileOpenError(code: code)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFREG,
                status.st_mtim.tv_sec <= time
            else { continue }
            names.append(name)
        }
        return names
    }
}
