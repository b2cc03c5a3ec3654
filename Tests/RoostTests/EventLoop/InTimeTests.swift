import RoostTesting
import Testing

@testable import Roost

@Suite("Work with a time limit", .timeLimit(.minutes(5)))
struct InTimeTests {
    private struct Failure: Error {}

    private let clock = TestClock()

    @Test func `what ends in time gives its result, and its clock stops`() async {
        let hasStopped = Latch()
        let sleep = { @Sendable [clock] (limit: Duration) async throws in
            defer { hasStopped.open() }
            try await clock.sleep(for: limit)
        }
        let result = await inTime(.seconds(3), sleep: sleep) { [clock] in
            await clock.waitForSleepers()
            return "done"
        }
        #expect(result == "done")
        await hasStopped.wait()
        #expect(clock.now.offset == .zero)
    }

    @Test func `work that is late is cancelled`() async {
        let (never, isOver) = (Latch(), Latch())
        let sleep = { @Sendable [clock] (limit: Duration) async throws in try await clock.sleep(for: limit) }
        let caller = Task {
            await inTime(.seconds(3), sleep: sleep) {
                await never.wait()
                isOver.open()
                return "late"
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(2))
        #expect(!isOver.isOpen)
        clock.advance(by: .seconds(1))
        #expect(await caller.value == nil)
        await isOver.wait()
    }

    @Test func `nobody waits for work that does not react to being cancelled`() async {
        let gate = Latch()
        let result = await inTime(.seconds(3), sleep: { _ in }) {
            await Task { await gate.wait() }.value
            return "late"
        }
        #expect(result == nil)
        gate.open()
    }

    @Test func `a caller that is cancelled gets nothing, and its work is cancelled`() async {
        let (begun, never, forever, isOver) = (Latch(), Latch(), Latch(), Latch())
        let caller = Task {
            await inTime(.seconds(3), sleep: { _ in await forever.wait() }) {
                begun.open()
                await never.wait()
                isOver.open()
                return "late"
            }
        }
        await begun.wait()
        caller.cancel()
        #expect(await caller.value == nil)
        await isOver.wait()
    }

    @Test func `a clock that fails limits nothing`() async {
        let hasFailed = Latch()
        let sleep = { @Sendable (_: Duration) async throws in
            defer { hasFailed.open() }
            throw Failure()
        }
        let result = await inTime(.seconds(3), sleep: sleep) {
            await hasFailed.wait()
            return "done"
        }
        #expect(result == "done")
    }

    @Test func `work stays on its caller's loop`() async throws {
        let client = try Probe.client { routes in
            routes.get(Path("/")) { _ in
                let loop = EventLoop.current
                let isThere = await inTime(.seconds(100)) { EventLoop.current === loop }
                return "\(loop != nil) \(isThere ?? false) \(EventLoop.current === loop)"
            }
        }
        #expect(try await client.get("/").text == "true true true")
    }
}
