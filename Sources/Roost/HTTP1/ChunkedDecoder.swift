// The chunked transfer coding (RFC 9112 §7.1), a state machine over single bytes so that a body may be cut anywhere.
//
//     chunked-body    = *chunk last-chunk trailer-section CRLF
//     chunk           = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
//     chunk-size      = 1*HEXDIG
//     last-chunk      = 1*("0") [ chunk-ext ] CRLF
//     trailer-section = *( field-line CRLF )
//
// Extensions and trailers are skipped and dropped, and their total is limited, so that nobody can send gigabytes of
// them around single bytes of content. Every line ends with CRLF; a bare line feed is where smuggling begins. A trailer
// that is not a field line is refused: it may be the next request, after a body that ended too early.

/// Extracts the content of a chunked body.
struct ChunkedDecoder: Sendable {
    private enum State: Sendable, Equatable {
        case size(digits: Int)
        case extensions(ChunkExtensions)
        case sizeLineFeed
        case content
        case contentReturn
        case contentLineFeed
        case trailerStart
        case trailerName
        case trailerValue
        case trailerLineFeed
        case lastLineFeed
        case end
    }

    private var state = State.size(digits: 0)
    /// The size of the chunk, then what is left of it.
    private var remaining = 0
    /// The number of bytes of chunk extensions and trailers received so far.
    private var overhead = 0

    /// The most bytes of chunk extensions and trailers in one body.
    static let maximumOverhead = 8 * 1024

    var isAtEnd: Bool { state == .end }

    mutating func next(in bytes: MessageBytes, at cursor: inout Int) throws(ParseError) -> BodyDecoder.Piece {
        while state != .end {
            guard cursor < bytes.count else { return .partial }
            if state == .content {
                let found = min(remaining, bytes.count - cursor)
                remaining -= found
                cursor += found
                if remaining == 0 { state = .contentReturn }
                return .content(ByteRange(cursor - found, cursor))
            }
            try take(bytes.base[cursor])
            cursor += 1
        }
        return .end
    }

    private mutating func take(_ byte: UInt8) throws(ParseError) {
        switch state {
        case .size(let digits): try takeSize(byte, digits)
        case .extensions(let extensions): try takeExtension(byte, extensions)
        case .sizeLineFeed: try expect(0x0A, byte, then: remaining == 0 ? .trailerStart : .content)
        case .contentReturn: try expect(0x0D, byte, then: .contentLineFeed)
        case .contentLineFeed: try expect(0x0A, byte, then: .size(digits: 0))
        case .trailerStart where byte == 0x0D: state = .lastLineFeed
        case .trailerStart, .trailerName: try takeTrailerName(byte)
        case .trailerValue where byte == 0x0D: state = .trailerLineFeed
        case .trailerValue: try count(if: ByteSet.fieldContent.contains(byte))
        case .trailerLineFeed: try expect(0x0A, byte, then: .trailerStart)
        case .lastLineFeed: try expect(0x0A, byte, then: .end)
        case .content, .end: break
        }
    }

    private mutating func takeSize(_ byte: UInt8, _ digits: Int) throws(ParseError) {
        if let value = Hexadecimal.value(byte) {
            if digits == 0 { remaining = 0 }
            guard digits < 16, remaining <= Int.max >> 4 else { throw .malformedChunk }
            remaining = remaining << 4 | Int(value)
            state = .size(digits: digits + 1)
        } else if digits > 0, byte == 0x0D {
            state = .sizeLineFeed
        } else if digits > 0, byte == UInt8(ascii: ";") {
            try count()
            state = .extensions(.nameStart)
        } else {
            throw .malformedChunk
        }
    }

    private mutating func takeExtension(_ byte: UInt8, _ extensions: ChunkExtensions) throws(ParseError) {
        if byte == 0x0D, extensions.isWhole {
            state = .sizeLineFeed
        } else {
            guard let next = extensions.next(byte) else { throw .malformedChunk }
            try count()
            state = .extensions(next)
        }
    }

    private mutating func takeTrailerName(_ byte: UInt8) throws(ParseError) {
        let isColon = state == .trailerName && byte == UInt8(ascii: ":")
        try count(if: isColon || ByteSet.token.contains(byte))
        state = isColon ? .trailerValue : .trailerName
    }

    /// Counts a byte that will be dropped.
    private mutating func count(if isAllowed: Bool = true) throws(ParseError) {
        overhead += 1
        guard overhead <= Self.maximumOverhead, isAllowed else { throw .malformedChunk }
    }

    private mutating func expect(_ expected: UInt8, _ byte: UInt8, then next: State) throws(ParseError) {
        guard byte == expected else { throw .malformedChunk }
        state = next
    }
}
