import HTTPTypes

@testable import Roost

/// The progress of the parser and the body decoder.
enum Outcome: Equatable {
    case complete(Message)
    case partial
    case invalid(ParseError)

    var message: Message? {
        if case .complete(let message) = self { message } else { nil }
    }

    var error: ParseError? {
        if case .invalid(let error) = self { error } else { nil }
    }
}

/// A whole request as it was understood.
struct Message: Equatable {
    var method: String
    var target: String
    var path: String
    var query: String?
    var authority: String
    var fields: [Headers.Field]
    var body: [UInt8]
    var persists: Bool
    var isHTTP10: Bool
    var expectsContinue: Bool
    /// The offset at which the next message begins.
    var end: Int

    init(_ parsed: RequestHead, in received: MessageBytes, body: [UInt8], end: Int) {
        let request = parsed.request(in: received, body: Body())
        let head = request.head
        let bytes = request.bytes
        method = request.method.rawValue
        target = bytes.text(head.target)
        path = bytes.text(head.path)
        query = head.query.map(bytes.text)
        authority = bytes.text(head.authority)
        fields = ReceivedFields(bytes: bytes, range: head.fields).list
        self.body = body
        persists = parsed.exchange.persists
        isHTTP10 = parsed.exchange.isHTTP10
        expectsContinue = parsed.expectsContinue
        self.end = end
    }

    var text: String { String(decoding: body, as: UTF8.self) }
}

/// The reading side of a connection, without a connection: bytes come in pieces, messages come out.
struct Wire {
    private let bytes: MessageBytes
    private var cursor: Int
    private var parser: RequestParser
    private var head: RequestHead?
    private var decoder = BodyDecoder.none
    private var content: [UInt8] = []

    /// Reads into memory of just the given size, so that the address sanitizer sees a read beyond it.
    init(capacity: Int, limits: HeadLimits = HeadLimits()) {
        self.init(MessageBytes(capacity: capacity), from: 0, limits: limits)
    }

    init(_ bytes: MessageBytes, from cursor: Int, limits: HeadLimits = HeadLimits()) {
        self.bytes = bytes
        self.cursor = cursor
        parser = RequestParser(limits: limits)
    }

    /// Takes more bytes and reads on.
    mutating func receive(_ piece: ArraySlice<UInt8>) -> Outcome {
        for byte in piece {
            bytes.base[bytes.count] = byte
            bytes.count += 1
        }
        return next()
    }

    /// Continues to read the bytes that have arrived.
    mutating func next() -> Outcome {
        do throws(ParseError) {
            return try read().map(Outcome.complete) ?? .partial
        } catch {
            return .invalid(error)
        }
    }

    private mutating func read() throws(ParseError) -> Message? {
        if head == nil {
            head = try parser.next(in: bytes, at: &cursor)
            decoder = BodyDecoder(head?.framing ?? .none)
            content = []
        }
        guard let head, try readBody() else { return nil }
        self.head = nil
        return Message(head, in: bytes, body: content, end: cursor)
    }

    /// Whether the body is over.
    private mutating func readBody() throws(ParseError) -> Bool {
        while true {
            switch try decoder.next(in: bytes, at: &cursor) {
            case .content(let range): content += Array(bytes.slice(range))
            case .partial: return false
            case .end: return decoder.isAtEnd
            }
        }
    }
}
