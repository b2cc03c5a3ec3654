import HTTPTypes

/// Reads `multipart/form-data` from bytes that come in pieces of any size: a value, without I/O (RFC 7578, RFC 2046
/// §5.1.1).
///
///     multipart-body = [ preamble CRLF ] dash-boundary padding CRLF part
///                      *( delimiter padding CRLF part ) delimiter "--" padding [ CRLF epilogue ]
///     dash-boundary  = "--" boundary
///     delimiter      = CRLF dash-boundary
///     part           = *( field CRLF ) [ CRLF *OCTET ]
///     padding        = *( SP / HTAB )
///
/// ``receive(_:)`` takes bytes, and ``next()`` says what they are, until it says nil. Content is given on as it comes,
/// except for the few bytes that may be the beginning of a delimiter.
struct MultipartParser {
    /// The next element of the body.
    enum Event: Equatable {
        /// A part begins.
        case part(MultipartHead)
        /// Some of its content, never empty.
        case content([UInt8])
        /// The part is complete.
        case endOfPart
        /// The last part was complete; what follows is ignored.
        case end
    }

    private enum State { case preamble, delimiter, fields, firstContent, content, epilogue }

    private let delimiter: [UInt8]
    let limits: MultipartLimits
    /// Bytes that have been received; those before `start` have been read.
    private var buffer: [UInt8]
    private var start = 0
    /// The number of bytes from `start` on that are known to be no end of a header field's line.
    private var searched = 0
    private var state = State.preamble
    private var head = MultipartHead()
    private var headerSize = 0
    private var partSize = 0
    /// Whether it was said that the part is too large. Whoever goes on can skip the rest of it.
    private var isRefused = false
    private var parts = 0
    private var files = 0
    private var size = 0
    /// Whether there was more than the limit.
    private var isCut = false

    /// - Parameter boundary: The text that separates the parts: the parameter of the `Content-Type`.
    /// - Throws: ``HTTPError`` with 400 for a boundary that is none.
    init(boundary: String, limits: MultipartLimits) throws(HTTPError) {
        guard Self.isBoundary(boundary) else { throw .malformedMultipart }
        delimiter = Array("\r\n--\(boundary)".utf8)
        self.limits = limits
        // So that the first boundary is found like the others, at the beginning of a line.
        buffer = [0x0D, 0x0A]
    }

    /// Whether a text is a boundary.
    ///
    ///     boundary = 0*69<bchars> bcharsnospace
    private static func isBoundary(_ text: String) -> Bool {
        let others = Array("'()+_,-./:=? ".utf8)
        return (1...70).contains(text.utf8.count) && text.utf8.last != 0x20
            && text.utf8.allSatisfy { $0.isLetterOrDigit || others.contains($0) }
    }

    /// Takes the next bytes of the body. Of a body that is too large, those up to the limit are still read, and then
    /// ``next()`` throws.
    /// - Throws: ``HTTPError`` with 413 when there were too many before.
    mutating func receive(_ all: [UInt8]) throws(HTTPError) {
        guard !isCut else { throw .contentTooLarge(limits.maximumSize) }
        let room = limits.maximumSize - size
        isCut = all.count > room
        let bytes = isCut ? Array(all.prefix(max(0, room))) : all
        size += bytes.count
        guard start < buffer.count else {
            (buffer, start) = (bytes, 0)
            return
        }
        buffer.removeFirst(start)
        start = 0
        buffer += bytes
    }

    /// Notes that the body is over.
    /// - Throws: ``HTTPError`` with 400 when its end is missing.
    func finish() throws(HTTPError) {
        guard state == .epilogue else { throw .malformedMultipart }
    }

    /// Returns the next event in the received bytes; nil when more bytes are needed.
    /// - Throws: ``HTTPError`` with 400 for malformed bytes, 413 when a limit is exceeded.
    mutating func next() throws(HTTPError) -> Event? {
        if let event = try read() { return event }
        if isCut { throw .contentTooLarge(limits.maximumSize) }
        return nil
    }

    private mutating func read() throws(HTTPError) -> Event? {
        while true {
            switch state {
            case .preamble:
                guard scan().isWhole else { return nil }
                state = .delimiter
            case .delimiter:
                guard let isLast = try readDelimiter() else { return nil }
                state = isLast ? .epilogue : .fields
                if isLast { return .end }
            case .fields:
                guard let head = try readFields() else { return nil }
                state = .firstContent
                return .part(head)
            case .firstContent:
                guard let isEmpty = isDelimiterNext() else { return nil }
                state = .content
                guard isEmpty else { continue }
                start += delimiter.count - 2
                state = .delimiter
                return .endOfPart
            case .content:
                let (range, isWhole) = scan()
                if !range.isEmpty {
                    // The delimiter is found again when the content has been taken.
                    if isWhole { start = range.upperBound }
                    return try content(range)
                }
                guard isWhole else { return nil }
                state = .delimiter
                return .endOfPart
            case .epilogue:
                start = buffer.count
                return nil
            }
        }
    }

    private mutating func content(_ range: Range<Int>) throws(HTTPError) -> Event {
        partSize += range.count
        if let limit = limits.maximumPartSize, partSize > limit, !isRefused {
            isRefused = true
            throw .partTooLarge(head.name, limit)
        }
        return .content(Array(buffer[range]))
    }

    /// Reads on to the next delimiter and behind it, or as far as no delimiter can begin.
    /// - Returns: The range of the bytes before it, and whether it is there.
    private mutating func scan() -> (range: Range<Int>, isWhole: Bool) {
        let first = start
        let (end, isWhole) = buffer.withUnsafeBufferPointer { bytes in
            var index = first
            while let offset = UnsafeBufferPointer(rebasing: bytes[index...]).firstOffset(of: 0x0D) {
                index += offset
                let candidate = bytes[index...].prefix(delimiter.count)
                if candidate.elementsEqual(delimiter.prefix(candidate.count)) {
                    return (index, candidate.count == delimiter.count)
                }
                index += 1
            }
            return (bytes.count, false)
        }
        start = isWhole ? end + delimiter.count : end
        return (first..<end, isWhole)
    }

    /// Whether a part without content ends here: then the end of its header fields is also the beginning of the
    /// delimiter. Nil when that cannot be told yet.
    private func isDelimiterNext() -> Bool? {
        let candidate = buffer[start...].prefix(delimiter.count - 2)
        guard candidate.elementsEqual(delimiter.dropFirst(2).prefix(candidate.count)) else { return false }
        return candidate.count == delimiter.count - 2 ? true : nil
    }

    /// Reads what follows a boundary: whether it is the last one. Nil when that is not there yet.
    private mutating func readDelimiter() throws(HTTPError) -> Bool? {
        let rest = buffer[start...]
        guard rest.count >= 2 else { return nil }
        if rest.starts(with: [0x2D, 0x2D]) {
            start += 2
            return true
        }
        let line = rest.drop { $0 == 0x20 || $0 == 0x09 }
        guard line.startIndex - start <= limits.maximumHeaderSize, [0x0D, 0x0A].starts(with: line.prefix(2)) else {
            throw .malformedMultipart
        }
        guard line.count >= 2 else { return nil }
        start = line.startIndex + 2
        parts += 1
        guard parts <= limits.maximumParts else {
            throw HTTPError(.contentTooLarge, Sentence.mostParts(limits.maximumParts))
        }
        (head, headerSize, partSize, isRefused) = (MultipartHead(), 0, 0, false)
        return false
    }

    /// Reads the lines of a part's header; nil when its end is not there yet.
    private mutating func readFields() throws(HTTPError) -> MultipartHead? {
        while let end = buffer[(start + searched)...].firstIndex(of: 0x0A) {
            let line = start..<end
            start = end + 1
            searched = 0
            try count(header: line.count + 1)
            guard line.count > 0, buffer[end - 1] == 0x0D else { throw .malformedMultipart }
            if line.count == 1 {
                guard head.isComplete else { throw .malformedMultipart }
                files += head.anyFileName == nil ? 0 : 1
                guard files <= limits.maximumFiles else {
                    throw HTTPError(.contentTooLarge, Sentence.mostFiles(limits.maximumFiles))
                }
                return head
            }
            try note(line.dropLast())
        }
        searched = buffer.count - start
        guard headerSize + searched <= limits.maximumHeaderSize else { try tooLarge() }
        return nil
    }

    private mutating func note(_ line: Range<Int>) throws(HTTPError) {
        var head = head
        try buffer.withUnsafeBufferPointer { (bytes) throws(HTTPError) in
            try head.note(UnsafeBufferPointer(rebasing: bytes[line]))
        }
        if let name = head.anyFileName, name.utf8.count > limits.maximumFileNameSize {
            throw HTTPError(.contentTooLarge, Sentence.longestFileName(limits.maximumFileNameSize))
        }
        self.head = head
    }

    private mutating func count(header bytes: Int) throws(HTTPError) {
        headerSize += bytes
        guard headerSize <= limits.maximumHeaderSize else { try tooLarge() }
    }

    private func tooLarge() throws(HTTPError) -> Never {
        throw HTTPError(.contentTooLarge, "The header fields of a part are too large.")
    }
}
