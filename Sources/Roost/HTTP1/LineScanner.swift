import Glibc

/// The parts of a field line, the value without the blanks around it (RFC 9112 §5).
struct FieldLine {
    let name: ByteRange
    let value: ByteRange
}

/// Walks over the lines of one head, which either is whole and ends with an empty line, or has come up to the end of a
/// line.
struct LineScanner {
    let bytes: MessageBytes
    private(set) var position: Int
    let end: Int

    /// A head with what its first line says.
    ///
    ///     request-line = method SP request-target SP HTTP-version
    mutating func requestLine(limit: Int) throws(ParseError) -> RequestHead {
        let lineEnd = try requestLineEnd(limit)
        let methodEnd = index(of: 0x20, from: position, to: lineEnd)
        guard let methodEnd, let known = method(ByteRange(position, methodEnd)) else { throw .malformedRequestLine }
        let targetEnd = index(of: 0x20, from: methodEnd + 1, to: lineEnd)
        guard let targetEnd, targetEnd > methodEnd + 1 else { throw .malformedRequestLine }
        let isHTTP10 = try version(from: targetEnd + 1, to: lineEnd)
        defer { position = lineEnd + 2 }
        return RequestHead(
            exchange: RequestHead.Exchange(method: known, isHTTP10: isHTTP10),
            methodName: ByteRange(position, methodEnd),
            target: ByteRange(methodEnd + 1, targetEnd)
        )
    }

    /// The next field line; nil at the empty line that ends the head, and at the end of what has come. In both cases
    /// the position stays before it.
    ///
    ///     field-line  = field-name ":" OWS field-value OWS
    ///     field-name  = token
    ///     field-value = *( field-vchar / SP / HTAB / obs-text )
    ///
    /// A line that begins with a blank (`obs-fold`) has an empty name, and a blank before the colon is no `tchar`: both
    /// are thus refused without extra checks.
    mutating func fieldLine() throws(ParseError) -> FieldLine? {
        let base = bytes.base
        if position == end - 2 && base[position] == 0x0D || position == end { return nil }
        let token = ByteSet.token
        var colon = position
        while token.contains(base[colon]) { colon += 1 }
        guard base[colon] == 0x3A, colon > position else { throw unexpected(base[colon]) }
        let name = ByteRange(position, colon)
        let lineEnd = try endOfValue(from: colon + 1)
        position = lineEnd + 2
        return FieldLine(name: name, value: bytes.trimmed(colon + 1, lineEnd))
    }

    /// The carriage return that ends the value: the first byte that no value may contain.
    private func endOfValue(from start: Int) throws(ParseError) -> Int {
        // The head ends with a CRLF, so the search ends there at the latest.
        let base = bytes.base
        let index = FieldContent.end(from: start, in: base, limit: end)
        guard base[index] == 0x0D, base[index + 1] == 0x0A else { throw unexpected(base[index]) }
        return index
    }

    private func unexpected(_ byte: UInt8) -> ParseError {
        byte == 0x0A ? .lineEndWithoutCarriageReturn : .malformedFieldLine
    }

    /// The carriage return that ends the request line. The error is the same as when the bytes come one by one.
    private func requestLineEnd(_ limit: Int) throws(ParseError) -> Int {
        guard let feed = index(of: 0x0A, from: position, to: end), feed > position else { throw .malformedRequestLine }
        let isTooLong = feed - position > limit + 1
        if bytes.base[feed - 1] == 0x0D, !isTooLong { return feed - 1 }
        guard ByteSet.token.contains(bytes.base[position]) else { throw .malformedRequestLine }
        guard isTooLong else { throw .lineEndWithoutCarriageReturn }
        let hasTarget = index(of: 0x20, from: position, to: position + limit + 2) != nil
        throw hasTarget ? .requestLineTooLong : .methodTooLong
    }

    private func index(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end, let found = memchr(bytes.base + start, Int32(byte), end - start) else { return nil }
        return UnsafeRawPointer(bytes.base).distance(to: found)
    }

    /// The method of a token; nil for bytes that are not a token.
    private func method(_ range: ByteRange) -> KnownMethod? {
        let name = bytes.slice(range)
        let known = KnownMethod(name)
        if known != .other { return known }
        return name.isToken ? .other : nil
    }

    /// Whether the version is 1.0; a later minor version gets a response as for 1.1 (RFC 9110 §2.5).
    ///
    ///     HTTP-version = %s"HTTP" "/" DIGIT "." DIGIT
    private func version(from start: Int, to end: Int) throws(ParseError) -> Bool {
        let version = bytes.slice(ByteRange(start, end))
        if version.isEqual(to: "HTTP/1.1") { return false }
        guard version.count == 8, version.prefix(5).elementsEqual("HTTP/".utf8), version[5].isDigit,
            version[6] == 0x2E, version[7].isDigit
        else { throw .malformedRequestLine }
        guard version[5] == 0x31 else { throw .unsupportedVersion }
        return version[7] == 0x30
    }
}
