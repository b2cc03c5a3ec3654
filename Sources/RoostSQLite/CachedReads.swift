internal import CSQLite
import Glibc

/// Reads of files that never wait for the disk.
///
/// SQLite lets a program replace the system calls that it makes (`sqlite3_vfs.xSetSystemCall`). Ours is the same
/// `pread` as before, but on a thread that must not wait it asks the system for what the page cache holds
/// (`RWF_NOWAIT`), and fails when that is not enough. It also counts: a single step of SQLite's may follow a chain of
/// pages as long as the value that they hold.
enum CachedReads {
    /// The outcome of the reads of a thread that must not wait.
    enum Outcome {
        /// All were answered from memory.
        case done
        /// One would have waited for the disk.
        case missed
        /// More pages than allowed.
        case tooMany
        /// The file system cannot tell what is in memory, as tmpfs and NFS cannot.
        case unknown
    }

    private struct Reads {
        var left: Int
        var outcome = Outcome.done
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
        let reads = state.assumingMemoryBound(to: Reads.self)
        guard reads.pointee.left > 0 else {
            reads.pointee.outcome = .tooMany
            errno = EAGAIN
            return -1
        }
        reads.pointee.left -= 1
        var span = sqlite3_span(base: base, size: UInt(size))
        let count = sqlite3_preadv2(file, &span, 1, place, 8)
        // Linux 5.9 and 5.10 return 0 for what is not in memory; a page of zeroes would stay in the cache.
        if count == 0, size > 0 {
            reads.pointee.outcome = .missed
            errno = EAGAIN
            return -1
        }
        if count < 0, errno != EINTR { reads.pointee.outcome = errno == EOPNOTSUPP ? .unknown : .missed }
        return count
    }

    /// Runs work of SQLite in which no read waits for the disk.
    /// - Parameter count: The maximum number of reads.
    static func only(atMost count: Int, _ work: () throws -> Void) -> (error: (any Error)?, outcome: Outcome) {
        var reads = Reads(left: count)
        return withUnsafeMutablePointer(to: &reads) { reads in
            pthread_setspecific(key, reads)
            defer { pthread_setspecific(key, nil) }
            do {
                try work()
                return (nil, reads.pointee.outcome)
            } catch {
                return (error, reads.pointee.outcome)
            }
        }
    }
}
