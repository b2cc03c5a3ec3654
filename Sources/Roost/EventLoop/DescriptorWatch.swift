/// Calls back each time a file descriptor is ready, for as long as it exists; on the loop's thread only.
///
/// For a driver whose descriptor is in use all the time: ``EventLoop/wait(for:of:until:)`` makes two system calls for
/// each wait, and this makes none.
package final class DescriptorWatch {
    private let event: IOEvent

    /// Begins to watch. The descriptor must stay open until the watch is released.
    /// - Throws: The system's error for a descriptor that cannot be watched.
    package init(
        _ loop: EventLoop, _ descriptor: Int32, _ readiness: Readiness, _ body: @escaping () -> Void
    ) throws(SystemError) {
        event = IOEvent(loop, descriptor, readiness, isPersistent: true) { _ in body() }
        try resume()
    }

    /// Does not call back until ``resume()``.
    package func pause() { event.remove() }

    /// Goes on watching.
    package func resume() throws(SystemError) {
        guard event.add() else { throw SystemError("epoll_ctl") }
    }
}
