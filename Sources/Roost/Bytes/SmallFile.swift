import Glibc

/// Reads files that are small, such as those of `/proc`, whose sizes the system does not tell.
enum SmallFile {
    /// The first bytes of a file; nil when it cannot be read, for the reason in `errno`. It blocks.
    /// - Parameter limit: The maximum number of bytes; what follows them is not read.
    static func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < limit {
            let count = read(file, &buffer, min(buffer.count, limit - bytes.count))
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
