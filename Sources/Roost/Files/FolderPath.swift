import Glibc

/// Makes folders for what an application keeps.
enum FolderPath {
    /// Creates a folder and those above it, as far as they are missing, for their owner only. Whether it worked shows
    /// when the folder is used.
    static func create(_ path: String) {
        guard !path.isEmpty, mkdir(path, 0o700) != 0, errno == ENOENT else { return }
        create(parent(of: path))
        mkdir(path, 0o700)
    }

    private static func parent(of path: String) -> String {
        var bytes = path.utf8[...]
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[..<slash])
    }
}
