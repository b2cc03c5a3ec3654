import Glibc

/// What threads wait on until there is something for one of them (`sem_overview(7)`).
///
/// `@unchecked Sendable`: the C library's semaphore is made for threads, and the pointer to it never changes.
final class CountingSemaphore: @unchecked Sendable {
    private let semaphore: UnsafeMutablePointer<sem_t>

    init() {
        semaphore = .allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func post() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0, errno == EINTR {}
    }
}
