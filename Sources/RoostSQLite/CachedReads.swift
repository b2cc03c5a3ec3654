internal import CSQLite
import Glibc

/// Reads of files that never wait for the disk.
///
/// SQLite lets a program replace the system calls that it makes (`sqlite3_vfs.xSetSystemCall`). Ours is the same
/// `pread` as before, but on a thread that must not wait it asks the system for what the page cache holds
/// (`RWF_NOWAIT`), and fails when that is not enough.
enum CachedReads {
    /// What happened to the reads of a thread that must not wait.
    private struct Reads {
        var missed = false
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether SQLite reads through ours: it does not if it was built without `pread`.
    static let isPossible: Bool = {
        _ = key
        guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall,
            let get = vfs.pointee.xGetSystemCall
        else { return false }
        for name in ["pread64", "pread"] where get(vfs, name) != nil {
            return set(vfs, name, unsafeBitCast(read, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
        }
        return false
    }()

    private static let read: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, Int) -> Int = {
        file, base, size, place in
        guard let state = pthread_getspecific(CachedReads.key) else { return pread(file, base, size, place) }
        var span = sqlite3_span(base: base, size: UInt(size))
        let count = sqlite3_preadv2(file, &span, 1, place, 8)
        if count < 0, errno != EINTR { state.assumingMemoryBound(to: Reads.self).pointee.missed = true }
        return count
    }

    /// Runs work of SQLite in which no read waits for the disk.
    /// - Returns: What the work returned, and whether a read was missing in the page cache and so has failed.
    static func only<Result>(_ work: () throws -> Result) rethrows -> (result: Result, missed: Bool) {
        var reads = Reads()
        return try withUnsafeMutablePointer(to: &reads) { reads in
            pthread_setspecific(key, reads)
            defer { pthread_setspecific(key, nil) }
            let result = try work()
            return (result, reads.pointee.missed)
        }
    }
}
