internal import CSQLite
internal import RoostSQL

/// The only use of a database's file: nobody, in this or another process, has or gets a connection to it meanwhile.
///
/// It takes SQLite's own lock without reading the file, which may be damaged. A connection with a write-ahead log has a
/// lock for as long as it is open. SQLite takes and releases the lock, because only it knows the other connections of
/// this process, whose locks would be gone if anybody else closed the file.
final class SoleUse {
    private let handle: OpaquePointer

    /// - Throws: ``DatabaseError/busy(_:)`` when somebody has a connection.
    init(of path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: "the file cannot be opened", path: path)
        }
        handle = opened
        for level in [SQLITE_LOCK_SHARED, SQLITE_LOCK_EXCLUSIVE] {
            let code = lock(level)
            if code == SQLITE_BUSY {
                throw .busy("a program uses \(path): stop the site and whatever else has the file open.")
            }
            guard code == SQLITE_OK else {
                throw DatabaseError(code: code, message: "the file cannot be locked", path: path)
            }
        }
    }

    private func lock(_ level: Int32) -> Int32 {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, let lock = file.pointee.pMethods.pointee.xLock else { return SQLITE_ERROR }
        return lock(file, level)
    }

    deinit { sqlite3_close_v2(handle) }
}
