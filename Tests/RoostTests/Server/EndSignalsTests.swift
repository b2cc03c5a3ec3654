import Glibc
import Logging
import Synchronization
import Testing

@testable import Roost

@Suite("Signals that end the process", .timeLimit(.minutes(5)))
struct EndSignalsTests {
    /// Lets signals that this thread raises interrupt it: the threads that run tasks block signals.
    private static func receiveSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_UNBLOCK, &all, nil)
    }

    @Test func `one that comes as soon as its handler is installed finds all that it needs`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            EndSignalsTests.receiveSignals()
            var descriptor: Int32 = -1
            EndSignals.install { number, handler in
                descriptor = EndSignals.wakeUp.load(ordering: .relaxed)
                signal(number, handler)
                if number == SIGTERM { raise(number) }
            }
            // The handler has created nothing new: it has used the descriptor that was there before.
            guard descriptor >= 0, EndSignals.wakeUp.load(ordering: .relaxed) == descriptor else { exit(1) }
            var count: UInt64 = 0
            guard read(descriptor, &count, 8) == 8, count == 1 else { exit(2) }
            exit(7)
        }
    }

    @Test func `the first ends a start, also in the first process of a container`() async {
        await #expect(processExitsWith: .exitCode(143)) {
            EndSignalsTests.receiveSignals()
            EndSignals.endFirstProcess(1)
            raise(SIGTERM)
        }
    }

    @Test func `once a server is there, that takes a second one there, too`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            EndSignalsTests.receiveSignals()
            EndSignals.endFirstProcess(1)
            _ = EndSignals.descriptor
            EndSignals.endFirstProcess(1)
            raise(SIGTERM)
            raise(SIGINT)
        }
    }

    @Test func `the second ends the process at once`() async {
        await #expect(processExitsWith: .exitCode(130)) {
            EndSignalsTests.receiveSignals()
            _ = EndSignals.descriptor
            raise(SIGTERM)
            raise(SIGINT)
        }
    }

    @Test func `SIGHUP asks for the end, and never ends the process at once`() async {
        await #expect(processExitsWith: .exitCode(143)) {
            EndSignalsTests.receiveSignals()
            // Whoever has started the tests may ignore it.
            signal(SIGHUP, SIG_DFL)
            let descriptor = EndSignals.descriptor
            raise(SIGHUP)
            raise(SIGHUP)
            var count: UInt64 = 0
            guard read(descriptor, &count, 8) == 8, count == 2 else { exit(1) }
            raise(SIGTERM)
            raise(SIGHUP)
            raise(SIGTERM)
        }
    }

    @Test func `SIGHUP that is ignored, or that others handle, stays so`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            EndSignalsTests.receiveSignals()
            signal(SIGHUP, SIG_IGN)
            EndSignals.install()
            raise(SIGHUP)
            var count: UInt64 = 0
            guard read(EndSignals.wakeUp.load(ordering: .relaxed), &count, 8) < 0 else { exit(1) }
            signal(SIGHUP) { _ in _exit(7) }
            EndSignals.install()
            raise(SIGHUP)
            exit(2)
        }
    }

    /// Remembers its loop, and ends the process when the server drains.
    private final class Ending: Service, Responder {
        private let loop = Mutex<EventLoop?>(nil)

        func start() async throws { loop.withLock { $0 = EventLoop.current } }
        func stop() async {}
        func respond(to request: Request) async throws -> Response { Response(.ok) }
        func serverChanged(to phase: ServerPhase) { if phase == .draining { _exit(7) } }

        /// Never lets the loop go on.
        func block() { loop.withLock { $0 }?.execute { while true { pause() } } }
    }

    @Test func `the first is noticed while the only loop is blocked`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            var configuration = ServerConfiguration()
            configuration.port = 0
            configuration.workers = 1
            let ending = Ending()
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let server = try await Server.listen(configuration, ending, services: [ending], logger: logger)
            ending.block()
            EndSignalsTests.receiveSignals()
            raise(SIGTERM)
            try await server.run()
            exit(1)
        }
    }
}
