import RoostTesting

/// Holds up a login until a test lets it go on, so that no test waits for time to pass. It serves one login.
final class Gate: Sendable {
    private let (arrival, opening) = (Latch(), Latch())

    /// Waits until the gate is opened.
    func pass() async {
        arrival.open()
        await opening.wait()
    }

    /// Returns when a login waits at the gate.
    func waitForLogin() async { await arrival.wait() }

    func open() { opening.open() }
}
