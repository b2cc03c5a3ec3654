internal import CNghttp2

/// The patience with what costs a server more than its client: a pure value.
///
/// It is a leaky bucket. What honest clients do now and then, such as cancelling a request, fills it by a little; each
/// second, and each response that a client takes, empties it by some. When it is full, the connection ends. nghttp2 has
/// limits of its own for some of this, which are higher; that for resets counts no responses.
///
/// A trusted proxy has many clients on a connection, and what one of them does must not end the requests of the others:
/// its bucket is a hundred times as large.
struct Patience {
    /// The level at which patience is over.
    private let limit: Int
    private var level = 0
    private var time = 0
    /// The bytes of responses that the client has not made up for by allowing more.
    private var sentBytes = 0

    init(withProxy isProxy: Bool) { limit = isProxy ? 100_000 : 1000 }

    /// Whether patience is over.
    var isOver: Bool { level >= limit }

    /// Time has passed, in seconds.
    mutating func pass(to now: Int) {
        guard now > time else { return }
        // Each second a fifth of the bucket.
        level = max(0, level - limit / 5 * min(now - time, 1000))
        time = now
    }

    /// A frame has come.
    mutating func receive(_ frame: nghttp2_frame_hd) {
        switch UInt32(frame.type) {
        // A response makes up for it.
        case NGHTTP2_HEADERS.rawValue: level += 2
        case NGHTTP2_DATA.rawValue: if Self.mayBeEmpty(frame) { level += 5 }
        // A client may begin all the requests that it is offered at once, and cancel them all.
        case NGHTTP2_RST_STREAM.rawValue: level += 5
        case NGHTTP2_PING.rawValue, NGHTTP2_SETTINGS.rawValue: level += 10
        // Whoever takes a response has to allow it: clients in Go do so by 4 KiB, on the connection and on the stream.
        case NGHTTP2_WINDOW_UPDATE.rawValue where sentBytes >= 1024: sentBytes -= 1024
        default: level += 1
        }
    }

    /// Whether a part of a body may have no byte of it, and does not end it either.
    private static func mayBeEmpty(_ frame: nghttp2_frame_hd) -> Bool {
        let isPadded = UInt32(frame.flags) & NGHTTP2_FLAG_PADDED.rawValue != 0
        let isLast = UInt32(frame.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
        return !isLast && frame.length <= (isPadded ? 256 : 0)
    }

    /// A stream had to be reset because of what its client has sent (CVE-2025-8671), a frame was invalid, or a request
    /// was refused before its handler saw it.
    mutating func fault() { level += 10 }

    /// A response has waited for the client's window as long as one may: fifty of these within a second or two are no
    /// accident.
    mutating func stuck() { level += 20 }

    /// A part of a response has been sent.
    mutating func sent(_ count: Int, isLast: Bool) {
        sentBytes += count
        let credit = (count >= 1024 ? 2 : 0) + (isLast ? 5 : 0)
        level = max(0, level - credit)
    }

    /// All that there was to be sent on a stream fitted into a part: the client did not ask for it in small pieces.
    mutating func sentAll() { level = max(0, level - 2) }
}
