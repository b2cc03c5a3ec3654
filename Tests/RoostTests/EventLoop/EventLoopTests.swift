import RoostTesting
import Testing

@testable import Roost

@Suite("An event loop", .timeLimit(.minutes(5)))
struct EventLoopTests {
    private final class Observer: TurnObserver, Sendable {
        let isTold = Latch()

        func turnEnded() { isTold.open() }
    }

    @Test func `an observer of turns is told at the end of the last one, too`() throws {
        let loop = try EventLoop()
        let observer = Observer()
        loop.execute { loop.afterTurn(observer) }
        loop.stop()
        loop.run()
        #expect(observer.isTold.isOpen)
    }

    @Test func `a wait on a loop that has ended throws, and so does one that it ends with`() async throws {
        let loop = try EventLoop()
        let thread = try LoopThread(name: "ends") { loop.run() }
        let waiting = Task { try await loop.sleep(for: .seconds(3600)) }
        let isRunning = Latch()
        loop.execute { isRunning.open() }
        await isRunning.wait()
        for _ in 0..<100 { await Task.yield() }
        loop.stop()
        await #expect(throws: EventLoopEnded.self) { try await waiting.value }
        thread.join()
        await #expect(throws: EventLoopEnded.self) { try await loop.sleep(for: .zero) }
        await #expect(throws: EventLoopEnded.self) { _ = try await loop.wait(for: [.readable], of: 0) }
        #expect(!loop.submit {})
        #expect(await LoopBound(1, to: loop).run { $0 } == nil)
    }

    @Test func `what a loop is given before it ends is done`() throws {
        let loop = try EventLoop()
        let isDone = Latch()
        loop.stop()
        loop.execute { loop.execute { isDone.open() } }
        loop.run()
        #expect(isDone.isOpen)
    }

    @Test func `a task that never ends does not keep it from ending`() async throws {
        let loop = try EventLoop()
        let thread = try LoopThread(name: "ends") { loop.run() }
        let isRunning = Latch()
        Task(executorPreference: loop) {
            isRunning.open()
            while true { await Task.yield() }
        }
        await isRunning.wait()
        loop.stop()
        thread.join()
    }
}
