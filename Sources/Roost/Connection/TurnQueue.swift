/// The connections of a loop that have had their share of a turn, and have received more. Each goes on when the loop
/// has handled the events of its sockets: so many requests at once, of one client or of many, keep nobody waiting who
/// has sent one.
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

    private func goOnLater() { loop.afterEvents { [self] in goOn() } }

    /// Lets each go on once, the first one first, as long as there is time.
    private func goOn() {
        let end = LoopMetrics.now() &+ Self.time
        let waiting = queue
        var count = 0
        repeat {
            loop.activity.work()
            waiting[count].goOn()
            count += 1
        } while count < waiting.count && LoopMetrics.now() < end
        queue.removeFirst(count)
        if !queue.isEmpty { goOnLater() }
    }
}

/// The share of a turn that one connection may have before the loop serves others, however much it has sent: a pure
/// value.
///
/// A client that sends one request after the other never notices: whether to go on is asked only between two requests
/// that came together.
package struct TurnShare {
    /// The most requests.
    static let requests = 64
    /// The time in nanoseconds for which requests may be handled, apart from the first one; looked at after the second
    /// and every fourth.
    static let time: UInt64 = 100_000
    /// The number of bytes of responses, apart from the first one, after which others are served.
    static let output = 64 * 1024

    private let most: Int
    private var count = 0
    private var end: UInt64 = 0
    private var outputEnd = 0

    /// - Parameter isContended: Whether others wait for theirs: then it is one request.
    init(isContended: Bool) { most = isContended ? 1 : Self.requests }

    /// Whether another request may be handled, after one that has been.
    /// - Parameters:
    ///   - position: The number of bytes that the loop has written so far.
    ///   - now: The time in nanoseconds.
    mutating func allowsMore(writtenUpTo position: Int, now: () -> UInt64) -> Bool {
        count += 1
        guard count < most else { return false }
        if count == 1 {
            end = now() &+ Self.time
            outputEnd = position + Self.output
            return true
        }
        return position < outputEnd && (count > 2 && count % 4 != 0 || now() < end)
    }
}

/// The share of the loop that a client has which has sent many requests at once.
extension Connection {
    /// Takes a part of the share for the next request. False when the share is used up: then the connection waits for
    /// another turn.
    @inline(__always)
    func takeShare(_ share: inout TurnShare) -> Bool {
        if input.isEmpty || allowsMore(&share) { return true }
        giveWay()
        return false
    }

    /// Has had its share of a turn, and received more: others come first.
    func giveWay() {
        task = nil
        // The request that has had its response is not the current one any more.
        notes.begin(group.nextRequestNumber(), at: 0)
        keepInput()
        if state.phase == .serving { group.turns.append(self) }
    }

    /// Others have come first: goes on with what has been received, once the client has taken its earlier responses.
    func goOn() {
        var share = TurnShare(isContended: false)
        if let session { return session.goOn(&share) }
        guard state.phase == .serving else { return }
        if unsent != nil { return handOver(.untakenOutput(persists: true)) }
        advance(share)
    }
}
