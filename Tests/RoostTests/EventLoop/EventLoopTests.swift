import Testing

@testable import Roost

@Suite("An event loop", .timeLimit(.minutes(5)))
struct EventLoopTests {
    private final class Observer: TurnObserver, Sendable {
        let isTold = Flag()

        func turnEnded() { isTold.set() }
    }

    @Test func `an observer of turns is told at the end of the last one, too`() throws {
        let loop = try EventLoop()
        let observer = Observer()
        loop.execute { loop.afterTurn(observer) }
        loop.stop()
        loop.run()
        #expect(observer.isTold.isSet)
    }
}
