import Glibc

/// Notices which files of a package change (`inotify(7)`).
final class SourceWatch {
    /// A kind of change to the package.
    enum Change {
        /// A source, which must be built, or a file that the program reads when it starts.
        case code
        /// A file that is read while the program runs.
        case file
    }

    /// Readable when something has changed.
    let descriptor: Int32
    /// The sentence that says why changes are not noticed; nil while all are.
    private(set) var mistake: String?
    private let package: String
    private var kinds: [Int32: Change] = [:]
    /// The package's own folder, of which only the manifest and `.env` count.
    private var root: Int32?

    private static let folders: [(String, Change)] = [
        ("Sources", .code), ("Languages", .code), ("docs", .code), ("Templates", .file), ("public", .file),
    ]
    private static let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE)

    /// - Parameter descriptor: An instance of inotify; -1 if there is none, as `errno` says.
    init(_ package: String, descriptor: Int32 = inotify_init1(O_NONBLOCK | O_CLOEXEC)) {
        self.package = package
        self.descriptor = descriptor
        guard descriptor >= 0 else {
            mistake = Self.sentence(errno)
            return
        }
        root = watch(package)
        watchFolders()
    }

    /// The sentence about a failure of inotify, with the advice that helps.
    static func sentence(_ code: Int32) -> String {
        let limit =
            switch code {
            case ENOSPC: "max_user_watches=524288"
            case EMFILE: "max_user_instances=1024"
            default: ""
            }
        let advice = limit.isEmpty ? "" : " Raise the limit as root: sysctl fs.inotify.\(limit)"
        return "cannot watch the files for changes: \(String(cString: strerror(code))) (inotify).\(advice)"
    }

    /// The number of a folder's watch; nil for a folder that is gone by now.
    private func watch(_ folder: String) -> Int32? {
        let number = inotify_add_watch(descriptor, folder, Self.mask)
        if number < 0, ![ENOENT, ENOTDIR].contains(errno) { mistake = Self.sentence(errno) }
        return number < 0 ? nil : number
    }

    /// Watches all folders that there are; those that are watched already stay so.
    private func watchFolders() {
        for (folder, kind) in Self.folders { watch(package + "/" + folder, kind) }
    }

    private func watch(_ folder: String, _ kind: Change) {
        guard let directory = opendir(folder) else { return }
        defer { closedir(directory) }
        if let number = watch(folder) { kinds[number] = kind }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if entry.pointee.d_type == UInt8(DT_DIR), !name.hasPrefix(".") { watch(folder + "/" + name, kind) }
        }
    }

    /// Returns the kinds of change since the last call.
    func changes() -> Set<Change> {
        var changes: Set<Change> = []
        var hasNewFolder = false
        var space = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &space, space.count), count > 0 {
            space.withUnsafeBytes { bytes in
                var place = 0
                while place + 16 <= count {
                    // wd, mask, cookie, len, name (inotify(7))
                    let watch = bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)
                    let mask = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let name = String(
                        decoding: bytes[(place + 16)..<(place + 16 + length)].prefix { $0 != 0 }, as: UTF8.self)
                    place += 16 + length
                    let isFolder = mask & UInt32(IN_ISDIR) != 0
                    hasNewFolder = hasNewFolder || isFolder
                    // A file that is created is not written yet.
                    if mask & UInt32(IN_CREATE) != 0, !isFolder { continue }
                    if watch == root {
                        if name == "Package.swift" || name == ".env" { changes.insert(.code) }
                    } else if let kind = kinds[watch], Self.counts(name) {
                        changes.insert(kind)
                    }
                }
            }
        }
        if hasNewFolder { watchFolders() }
        return changes
    }

    /// Whether a file is no editor's own.
    private static func counts(_ name: String) -> Bool {
        !name.hasPrefix(".") && !name.hasPrefix("#") && !name.hasSuffix("~") && name != "4913"
    }
}
