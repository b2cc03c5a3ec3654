/// The connections of a loop that have had their share of a turn, and have received more. Each goes on in one of the
/// next turns, when the loop has looked at its sockets: so many requests at once, of one client or of many, keep nobody
/// waiting who has sent one.
///
/// Used on the loop's thread only.
final class TurnQueue {
    /// The time of a turn, in nanoseconds, for which they may go on together.
    static let time: UInt64 = 1_000_000

    private let loop: EventLoop
    @exclusivity(unchecked) private var queue: [Connection] = []

    init(on loop: EventLoop) { self.loop = loop }

    /// A connection's share of this turn.
    @inline(__always)
    var share: TurnShare { TurnShare(isContended: !queue.isEmpty) }

    /// Lets a connection go on after those that wait already.
    func append(_ connection: Connection) {
        if queue.isEmpty { goOnLater() }
        queue.append(connection)
    }

    private func goOnLater() { loop.inNextTurn { [self] in goOn() } }

    /// Lets each go on once, the first one first, as long as there is time.
    private func goOn() {
        let end = LoopMetrics.now() &+ Self.time
        let waiting = queue
        var count = 0
        repeat {
            loop.activity.work()
            waiting[count].takeTurn()
            count += 1
        } while count < waiting.count && LoopMetrics.now() < end
        queue.removeFirst(count)
        if !queue.isEmpty { goOnLater() }
    }
}
