import CLibevent
import Glibc
import RoostTesting
import Testing

@testable import Roost

/// The waits of drivers.
@Suite("Waiting on a loop", .timeLimit(.minutes(5)))
struct WaitingTests {
    /// Runs a body in a handler, on a loop.
    private func onLoop(_ body: @escaping @Sendable (EventLoop) async throws -> String) async throws -> String {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ in
                guard let loop = EventLoop.current else { return "no loop" }
                let text = try await body(loop)
                return EventLoop.current === loop ? text : "elsewhere"
            }
        }
        return try await client.get("/").text
    }

    @Test func `a descriptor that can be read and written is both`() async throws {
        let text = try await onLoop { loop in
            let pair = SocketPair()
            let ready1 = try await loop.wait(for: [.writable], of: pair.one)
            #expect(ready1 == [.writable])
            pair.write()
            let ready2 = try await loop.wait(for: [.readable], of: pair.other)
            #expect(ready2 == [.readable])
            return "done"
        }
        #expect(text == "done")
    }

    @Test func `a wait goes on until something arrives`() async throws {
        let pair = SocketPair()
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ in "ok" }
            routes.get(Path("/wait")) { _ in
                _ = try await EventLoop.current?.wait(for: [.readable], of: pair.other)
                return "came"
            }
        }
        let connection = try await client.connect()
        try await connection.send(get("/wait"))
        #expect(try await client.get("/").text == "ok")
        pair.write()
        #expect(try await connection.readResponse().text == "came")
    }

    @Test func `a deadline that has passed ends the wait`() async throws {
        let text = try await onLoop { loop in
            let pair = SocketPair()
            await #expect(throws: DeadlinePassed.self) {
                try await loop.wait(for: [.readable], of: pair.other, until: .now)
            }
            try await loop.sleep(for: .zero)
            try await loop.sleep(for: .microseconds(1))
            return "done"
        }
        #expect(text == "done")
    }

    /// Both timers are due in the same turn: what the first one writes, libevent has not seen when the second comes.
    @Test func `what has arrived by the deadline is not late`() async throws {
        let text = try await onLoop { loop in
            let pair = SocketPair()
            let writer = IOEvent(loop, -1, []) { _ in pair.write() }
            writer.add(after: .zero)
            defer { writer.remove() }
            let ready = try await loop.wait(for: [.readable], of: pair.other, until: .now)
            #expect(ready == [.readable])
            return "done"
        }
        #expect(text == "done")
    }

    @Test(arguments: [
        (Duration.zero, 0, 0), (.nanoseconds(1), 0, 1), (.seconds(-1), 0, 0), (.milliseconds(1500), 1, 500_000),
        (.seconds(86_401), 86_401, 0), (.seconds(400 * 86_400), 400 * 86_400, 0),
        (.seconds(Int64.max), 100 * 366 * 86_400, 0),
    ])
    func `no wait ends early, however long it is`(limit: Duration, seconds: Int, microseconds: Int) {
        let time = IOEvent.time(limit)
        #expect(time.tv_sec == seconds && time.tv_usec == microseconds)
    }

    @Test func `a descriptor that the system cannot watch is an error`() async throws {
        let text = try await onLoop { loop in
            let file = open(#filePath, O_RDONLY)
            defer { close(file) }
            await #expect(throws: SystemError.self) { try await loop.wait(for: [.readable], of: file) }
            return "done"
        }
        #expect(text == "done")
    }

    @Test func `a cancelled wait throws, and its event is gone`() async throws {
        let text = try await onLoop { loop in
            let pair = SocketPair()
            let isWaiting = Latch()
            try await withThrowingTaskGroup { group in
                group.addTask {
                    isWaiting.open()
                    await #expect(throws: CancellationError.self) {
                        try await loop.wait(for: [.readable], of: pair.other)
                    }
                }
                while !isWaiting.isOpen { try await turn() }
                group.cancelAll()
                try await group.waitForAll()
            }
            pair.write()
            // An event that was left would be called now, with nobody to tell.
            let ready3 = try await loop.wait(for: [.readable], of: pair.other)
            #expect(ready3 == [.readable])
            let already = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await loop.wait(for: [.readable], of: pair.one)
            }
            await #expect(throws: CancellationError.self) { try await already.value }
            return "done"
        }
        #expect(text == "done")
    }
}

/// Two connected sockets.
private final class SocketPair: Sendable {
    let one: Int32
    let other: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (one, other) = (ends[0], ends[1])
    }

    deinit {
        close(one)
        close(other)
    }

    func write() {
        var byte: UInt8 = 0
        _ = Glibc.write(one, &byte, 1)
    }
}
