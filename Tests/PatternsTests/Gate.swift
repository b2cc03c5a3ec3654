/// Holds up a login until a test lets it go on, so that no test waits for time to pass. It serves one login.
final class Gate: Sendable {
    private let arrivals = AsyncStream<Void>.makeStream()
    private let opening = AsyncStream<Void>.makeStream()

    /// Waits until the gate is opened.
    func pass() async {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
    }

    /// Returns when a login waits at the gate.
    func waitForLogin() async {
        for await _ in arrivals.stream { return }
    }

    func open() { opening.continuation.finish() }
}
