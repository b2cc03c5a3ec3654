internal import CSQLite
import Glibc
internal import Roost
internal import RoostSQL

/// Finds out why a file cannot be opened, when that is a mistake that waiting does not fix.
enum OpeningMistake {
    /// The error for a file that could not be opened; nil when the reason may pass by itself, like a lock or a full
    /// disk.
    static func find(_ error: DatabaseError, _ path: String) -> StartError? {
        switch error {
        case .corrupt(let text) where text.utf8.starts(with: "malformed database schema".utf8):
            StartError.configuration(
                """
                The SQLite file cannot be used: \(text). If a newer SQLite than this one \
                (\(String(cString: sqlite3_libversion()))) has made that table, view or trigger, use that one here, \
                too. Otherwise restore a backup with the command restore.
                """
            )
        case .corrupt(let text):
            StartError.configuration(
                """
                The SQLite file cannot be used: \(text). Restore a backup with the command restore, which also removes \
                what belongs to the damaged file, or set another file (\(setting)).
                """
            )
        case .readOnly(let text):
            StartError.configuration(
                "The SQLite file cannot be used: \(text). Allow the program's user to write it and its folder."
            )
        case .misconfigured(let text): StartError.configuration(text)
        case .unavailable: place(path)
        default: nil
        }
    }

    /// The name of the setting, as far as it is known here.
    private static let setting = "DATABASE_URL, or the program's own setting"

    /// The error of a start that is to create the file; nil when it can.
    static func ofCreation(_ path: String, makesFolder: Bool) -> StartError? {
        let folder = PartialFile.folder(of: path)
        if makesFolder, access(folder, F_OK) != 0, errno == ENOENT,
            let end = folder.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }),
            refusal(PartialFile.folder(of: String(Substring(folder.utf8[...end]))), isFolder: true) == nil
        {
            return nil
        }
        return place(path)
    }

    /// The error of a database that can be opened and read, but not written; nil when it can be. An opening does not
    /// find it, since it writes nothing.
    static func ofWriting(_ path: String) -> StartError? {
        let real = SQLiteDriver.realPath(path)
        let files = ["", "-wal", "-shm"].map { real + $0 }
            .filter { access($0, R_OK) == 0 && access($0, W_OK) != 0 && [EACCES, EPERM, EROFS].contains(errno) }
        guard !files.isEmpty else { return nil }
        let list = files.joined(separator: ", ")
        return .configuration("The SQLite database can only be read. Allow the program's user to write \(list).")
    }

    private static func place(_ path: String) -> StartError? {
        // Also that of a file to which a link leads, when it is missing.
        let folder = PartialFile.folder(of: SQLiteDriver.realPath(path))
        if let reason = refusal(folder, isFolder: true) {
            let text = "The folder of the SQLite file \(path) cannot be used: \(reason)."
            return .configuration("\(text) Create it for the program's user, or set another file (\(setting)).")
        }
        guard let reason = refusal(path, isFolder: false) else { return nil }
        let text = "The SQLite file \(path) cannot be opened: \(reason)."
        return .configuration("\(text) Allow the program's user to write it, or set another file (\(setting)).")
    }

    /// Returns the reason why a file or folder cannot be used, if waiting does not help; a missing file can be created.
    /// The file is not opened, because closing it would release the locks that this process has on it.
    private static func refusal(_ path: String, isFolder: Bool) -> String? {
        var status = stat()
        var code: Int32 = 0
        if stat(path, &status) != 0 {
            code = errno == ENOENT && !isFolder ? 0 : errno
        } else if (status.st_mode & S_IFMT == S_IFDIR) != isFolder {
            code = isFolder ? ENOTDIR : EISDIR
        } else if access(path, isFolder ? W_OK | X_OK : R_OK | W_OK) != 0 {
            code = errno
        }
        let lasting = [ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, EROFS, ENAMETOOLONG, ELOOP]
        return lasting.contains(code) ? String(cString: strerror(code)) : nil
    }
}
