import RoostTesting
import Testing

@Suite("A test's clock", .timeLimit(.minutes(5)))
struct TestClockTests {
    @Test(arguments: [false, true])
    func `a wait for sleepers ends when its task is cancelled, before it waits and while it does`(
        isEarly: Bool
    ) async {
        let clock = TestClock()
        let (ends, end) = AsyncStream<Bool>.makeStream()
        let waiting = Task.immediate {
            if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
            await clock.waitForSleepers()
            end.yield(Task.isCancelled)
        }
        if !isEarly { waiting.cancel() }
        // Unlike the task's value, this ends with the suite's time.
        var iterator = ends.makeAsyncIterator()
        #expect(await iterator.next() == true)
    }
}
