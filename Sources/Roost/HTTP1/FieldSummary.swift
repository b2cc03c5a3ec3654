/// The values of the field lines that the protocol itself needs, gathered while the lines are parsed.
struct FieldSummary {
    private(set) var count = 0
    private(set) var nameLengths = NameLengths()
    private(set) var host: ByteRange?
    private(set) var expectsContinue = false
    private var contentLength: Int?
    private var isChunked = false
    private var closes = false
    private var keepsAlive = false

    /// Records a field line if it is one that the protocol needs.
    mutating func note(_ field: FieldLine, in bytes: MessageBytes) throws(ParseError) {
        count += 1
        let name = bytes.slice(field.name)
        nameLengths.insert(name.count)
        switch name.count {
        case 4 where name.isEqualIgnoringCase(to: "host"):
            guard host == nil else { throw .missingHost }
            host = field.value
        case 6 where name.isEqualIgnoringCase(to: "expect"):
            guard bytes.slice(field.value).isEqualIgnoringCase(to: "100-continue") else {
                throw .unsupportedExpectation
            }
            expectsContinue = true
        case 10 where name.isEqualIgnoringCase(to: "connection"):
            noteConnection(bytes.slice(field.value))
        case 14:
            if name.isEqualIgnoringCase(to: "content-length") {
                guard contentLength == nil else { throw .malformedContentLength }
                contentLength = try Self.decimal(bytes.slice(field.value))
            } else if name.isEqualIgnoringCase(to: "content_length") {
                throw .conflictingFraming
            }
        case 17:
            if name.isEqualIgnoringCase(to: "transfer-encoding") {
                try noteTransferEncoding(bytes.slice(field.value))
            } else if name.isEqualIgnoringCase(to: "transfer_encoding") {
                throw .conflictingFraming
            }
        default: break
        }
    }

    /// Returns the framing of the body. A message with both lengths, or with a coding in HTTP/1.0, is as often an
    /// attempt at smuggling as a mistake, and is refused (RFC 9112 §6.1, §6.3).
    func framing(isHTTP10: Bool) throws(ParseError) -> RequestHead.Framing {
        if isChunked {
            guard contentLength == nil, !isHTTP10 else { throw .conflictingFraming }
            return .chunked
        }
        return contentLength.map { $0 == 0 ? .none : .length($0) } ?? .none
    }

    /// Whether the connection persists (RFC 9112 §9.3): 1.1 persists unless told to close, 1.0 only when asked to.
    func persists(isHTTP10: Bool) -> Bool {
        !closes && (!isHTTP10 || keepsAlive)
    }

    ///     Connection        = #connection-option
    private mutating func noteConnection(_ value: UnsafeBufferPointer<UInt8>) {
        var options = DelimitedParts(value)
        while let token = options.nextPresent(before: UInt8(ascii: ",")) {
            if token.isEqualIgnoringCase(to: "close") { closes = true }
            if token.isEqualIgnoringCase(to: "keep-alive") { keepsAlive = true }
        }
    }

    /// Accepts only `chunked`, once: any other list of codings means a body whose end other servers see elsewhere.
    ///
    ///     Transfer-Encoding = #transfer-coding
    private mutating func noteTransferEncoding(_ value: UnsafeBufferPointer<UInt8>) throws(ParseError) {
        guard !isChunked else { throw .conflictingFraming }
        guard value.isEqualIgnoringCase(to: "chunked") else { throw Self.refusal(of: value) }
        isChunked = true
    }

    /// The error for codings other than `chunked`. An unknown coding gets 501 (RFC 9112 §6.1), but only when `chunked`
    /// follows it and marks the end of the body. When `chunked` is missing, not the last one, or repeated, the request
    /// must get 400 (§6.3, §7.1).
    private static func refusal(of codings: UnsafeBufferPointer<UInt8>) -> ParseError {
        let list = codings.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { UnsafeBufferPointer(rebasing: $0).trimmingBlanks() }
        let isChunked = list.map { $0.isEqualIgnoringCase(to: "chunked") }
        let isFramed = list.count > 1 && isChunked.firstIndex(of: true) == list.count - 1
        return isFramed && list.allSatisfy { !$0.isEmpty } ? .unsupportedTransferCoding : .conflictingFraming
    }

    ///     Content-Length = 1*DIGIT
    private static func decimal(_ digits: UnsafeBufferPointer<UInt8>) throws(ParseError) -> Int {
        guard let value = digits.wholeNumber.flatMap({ Int(exactly: $0) }) else { throw .malformedContentLength }
        return value
    }
}
