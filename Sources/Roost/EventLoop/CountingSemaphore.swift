internal import CLinux
import Glibc

/// A semaphore that threads wait on until there is something for one of them (`sem_overview(7)`).
///
/// `@unchecked Sendable`: the C library's semaphore is made for threads, and the pointer to it never changes.
package final class CountingSemaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Lets one thread go on.
    package func post() { sem_post(semaphore) }

    /// Waits for a post.
    package func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }

    /// Waits for a post, but not longer than `duration`; returns whether there was one.
    package func wait(atMost duration: Duration) -> Bool {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let (seconds, attoseconds) = max(duration, .zero).components
        let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
        time.tv_sec += Int(min(seconds, 1_000_000_000)) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        while sem_clockwait(semaphore, CLOCK_MONOTONIC, &time) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
