import Glibc
import Synchronization

/// The current work of a loop, written by the loop and read by the watchdog's thread: each fact is one relaxed store.
/// Only a handler that is suspended takes a lock, to be remembered until it ends.
///
/// The subject of the work is the address of an object that is never freed, such as the pattern of a route.
final class LoopActivity: Sendable {
    /// An odd number while the loop works, an even one while it waits for events; another for each thing that it does,
    /// so that thousands of short ones in one turn are not taken for one that blocks.
    private let workNumber = Atomic<UInt>(0)
    private let subject = Atomic<UInt>(0)
    /// The thread's folder in `/proc`, such as `7/task/9`; nil before it runs.
    private let thread = Mutex<String?>(nil)
    /// The subjects of handlers that have been suspended: they go on in a job, and nothing tells which one a job is
    /// for.
    private let suspended = Mutex<[ObjectIdentifier: UInt]>([:])

    /// The number of the thing that the loop is doing; nil while it waits.
    var busyTurn: UInt? {
        let number = workNumber.load(ordering: .relaxed)
        return number.isMultiple(of: 2) ? nil : number
    }

    // MARK: On the loop's thread

    /// Notes which thread is the loop's, for ``runDelay``.
    func noteThread() {
        let bytes = [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
            count = buffer.baseAddress.map { max(0, readlink("/proc/thread-self", $0, 64)) } ?? 0
        }
        thread.withLock { $0 = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    }

    /// Notes that an event's callback, a job or a closure begins.
    @inline(__always)
    func work() {
        workNumber.store((workNumber.load(ordering: .relaxed) &+ 2) | 1, ordering: .relaxed)
        handlerEnded()
    }

    func idle() { workNumber.store((workNumber.load(ordering: .relaxed) | 1) &+ 1, ordering: .relaxed) }

    /// A handler is about to run.
    @inline(__always)
    func begin(_ subject: UInt) { self.subject.store(subject, ordering: .relaxed) }

    /// The handler has returned.
    @inline(__always)
    func handlerEnded() { subject.store(0, ordering: .relaxed) }

    /// The handler will go on in a job, until ``endSuspended(_:)``.
    func suspend(_ subject: UInt, of owner: AnyObject) {
        if subject != 0 { suspended.withLock { $0[ObjectIdentifier(owner)] = subject } }
        handlerEnded()
    }

    func endSuspended(_ owner: AnyObject) { suspended.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(owner)) } }

    // MARK: On any thread

    /// The time for which the loop's thread has waited for a processor since it began: the second number in
    /// `schedstat`, in nanoseconds. A wait is in it once it is over. Nil where the system does not tell.
    var runDelay: Duration? {
        guard let thread = thread.withLock({ $0 }) else { return nil }
        let file = open("/proc/\(thread)/schedstat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: 80) { $1 = max(0, read(file, $0.baseAddress, 80)) }
        let numbers = bytes.split(separator: UInt8(ascii: " "))
        return numbers.count > 1 ? Int64(String(decoding: numbers[1], as: UTF8.self)).map { .nanoseconds($0) } : nil
    }

    /// The subject of the handler that is running now; otherwise at most five of those whose handlers have been
    /// suspended, one of which may be the running one.
    var subjects: [UInt] {
        let subject = subject.load(ordering: .relaxed)
        if subject != 0 { return [subject] }
        return Array(Set(suspended.withLock { Array($0.values) }).prefix(5))
    }
}
