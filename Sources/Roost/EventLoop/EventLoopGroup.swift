import Synchronization

/// The loops of a server, each on a thread of its own.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let threads: [LoopThread]
    private let pool: BlockingPool
    private let watchdog = Mutex<RunningWatchdog?>(nil)

    /// Starts `count` loops, which share a pool of threads for work that blocks.
    /// - Parameter name: The beginning of the threads' names, at most 12 bytes.
    /// - Throws: ``SystemError`` when the system refuses a loop or a thread.
    package init(count: Int, pool: BlockingPool, name: String = "roost-loop") throws(SystemError) {
        var loops: [EventLoop] = []
        for _ in 0..<count { loops.append(try EventLoop(blockingPool: pool)) }
        self.pool = pool
        var threads: [LoopThread] = []
        do throws(SystemError) {
            for (index, loop) in loops.enumerated() {
                threads.append(try LoopThread(name: "\(name)-\(index)") { loop.run() })
            }
        } catch {
            for loop in loops { loop.stop() }
            for thread in threads { thread.join() }
            throw error
        }
        self.loops = loops
        self.threads = threads
    }

    /// Calls `report` from a separate thread when a loop is busy for longer than a threshold.
    func watch(threshold: Duration, _ report: @escaping LoopWatchdog.Report) throws(SystemError) {
        let delay = { @Sendable [activities = loops.map(\.activity)] in activities[$0].runDelay }
        let running = try RunningWatchdog(LoopWatchdog(loops, threshold: threshold, report, runDelay: delay))
        watchdog.withLock { $0 = running }
    }

    /// Ends the loops after their current turns, without waiting: for callers that may be on one of their threads.
    package func abandon() { end { $0.detach() } }

    /// Ends the loops after their current turns and waits for their threads.
    package func stop() { end { $0.join() } }

    private func end(_ each: (LoopThread) -> Void) {
        pool.stop()
        watchdog.withLock { $0 = nil }
        for loop in loops { loop.stop() }
        for thread in threads { each(thread) }
    }
}
