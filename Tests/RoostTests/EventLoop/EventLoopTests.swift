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

    private final class Owner {}

    /// Counts those of its kind.
    private final class Token {
        let living: SharedValue<Int>
        init(_ living: SharedValue<Int>) {
            self.living = living
            living.withLock { $0 += 1 }
        }
        deinit { living.withLock { $0 -= 1 } }
    }

    @Test func `what is to be done before its end goes with whoever it is for`() throws {
        let loop = try EventLoop()
        let (living, done) = (SharedValue(0), SharedValue(0))
        let owner = Owner()
        loop.beforeEnd(for: owner) { done.withLock { $0 += 1 } }
        for _ in 0..<1000 {
            let token = Token(living)
            loop.beforeEnd(for: Owner()) { withExtendedLifetime(token) { done.withLock { $0 += 1 } } }
        }
        #expect(living.withLock { $0 } < 100)
        loop.stop()
        loop.run()
        #expect(done.withLock { $0 } == 1)
        withExtendedLifetime(owner) {}
    }
}
