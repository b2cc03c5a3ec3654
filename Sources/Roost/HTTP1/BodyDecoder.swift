/// Finds a request's content in received bytes, piece by piece (RFC 9112 §6.3).
enum BodyDecoder: Sendable {
    case none
    /// A body of known length, with the number of bytes still to come.
    case length(Int)
    case chunked(ChunkedDecoder)

    /// The result of one step.
    enum Piece: Equatable {
        /// Content; more may follow.
        case content(ByteRange)
        /// No content until more bytes have come; the cursor is after all the bytes received.
        case partial
        /// The body is over; the cursor is at the next message.
        case end
    }

    init(_ framing: RequestHead.Framing) {
        self =
            switch framing {
            case .none: .none
            case .length(let length): .length(length)
            case .chunked: .chunked(ChunkedDecoder())
            }
    }

    /// Whether nothing is left to read.
    var isAtEnd: Bool {
        switch self {
        case .none: true
        case .length(let rest): rest == 0
        case .chunked(let decoder): decoder.isAtEnd
        }
    }

    /// The next piece that begins at `cursor`, which then moves past it.
    mutating func next(in bytes: MessageBytes, at cursor: inout Int) throws(ParseError) -> Piece {
        switch self {
        case .none: return .end
        case .length(let rest):
            guard rest > 0 else { return .end }
            let found = min(rest, bytes.count - cursor)
            guard found > 0 else { return .partial }
            self = .length(rest - found)
            cursor += found
            return .content(ByteRange(cursor - found, cursor))
        case .chunked(var decoder):
            let piece = try decoder.next(in: bytes, at: &cursor)
            self = .chunked(decoder)
            return piece
        }
    }
}
