/// One event of an event stream (WHATWG HTML, 9.2 Server-sent events).
///
///     ServerSentEvent("hello")                          // onmessage in a browser, with event.data == "hello"
///     ServerSentEvent(json, event: "added", id: "17")   // addEventListener("added", …), and event.lastEventId == "17"
///
/// A browser dispatches an event only if it has ``data``. One without data can still set the last id, or the time to
/// wait before reconnecting; one with only a comment merely keeps the connection alive.
public struct ServerSentEvent: Sendable, Hashable {
    /// The content. Each kind of line break (CR, LF or both) reaches the client as one LF.
    public var data: String?
    /// The type that scripts listen for; nil means `message`. It is one line.
    public var event: String?
    /// The id that the client sends as `Last-Event-ID` when it reconnects; nil keeps the previous id, and an empty text
    /// clears it. It must be one line without NUL.
    public var id: String?
    /// The time that the client waits before it connects again, from now on; in whole milliseconds.
    public var retry: Duration?
    /// A text that the client ignores.
    public var comment: String?

    /// Creates an event of these parts.
    public init(
        _ data: String? = nil,
        event: String? = nil,
        id: String? = nil,
        retry: Duration? = nil,
        comment: String? = nil
    ) {
        self.data = data
        self.event = event
        self.id = id
        self.retry = retry
        self.comment = comment
    }

    /// Creates an event whose content is JSON: `JSON.parse(event.data)` in a script.
    /// - Parameter coder: The coder that writes the JSON.
    /// - Throws: Any error of the value's own encoding.
    public init(
        json value: some Encodable,
        event: String? = nil,
        id: String? = nil,
        using coder: JSONCoder = JSONCoder()
    ) throws {
        self.init(try coder.string(value), event: event, id: id)
    }
}

// stream  = [ bom ] *event
// event   = *( comment / field ) end-of-line
// comment = colon *any-char end-of-line
// field   = 1*name-char [ colon [ space ] *any-char ] end-of-line
//
// A space always follows the colon, because a client removes one from the beginning of the value. A line break within a
// value would begin another field, or another event: data and comments are split there, anything else is refused.
extension ServerSentEvent {
    /// The event as it is sent.
    /// - Throws: `InvalidServerSentEvent` for a type or id with a line break, an id with NUL, a negative time.
    var bytes: [UInt8] {
        get throws(InvalidServerSentEvent) { try fields() + [Self.lineFeed] }
    }

    /// The fields, without the empty line that ends the event.
    /// - Parameter id: The id instead of its own.
    func fields(id: String? = nil) throws(InvalidServerSentEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        if let comment { Self.append(lines: comment, as: ":", to: &bytes) }
        if let event {
            guard Self.isLine(event) else { throw InvalidServerSentEvent("type has a line break") }
            Self.append(lines: event, as: "event:", to: &bytes)
        }
        if let id = id ?? self.id {
            guard Self.isLine(id) else { throw InvalidServerSentEvent("id has a line break") }
            guard !id.utf8.contains(0) else { throw InvalidServerSentEvent("id has a NUL, so clients would ignore it") }
            Self.append(lines: id, as: "id:", to: &bytes)
        }
        if let retry {
            guard retry >= .zero else { throw InvalidServerSentEvent("retry is negative") }
            guard retry.components.seconds <= Self.longestRetry else {
                throw InvalidServerSentEvent("retry is longer than a century")
            }
            Self.append(lines: "\(retry.wholeMilliseconds)", as: "retry:", to: &bytes)
        }
        if let data { Self.append(lines: data, as: "data:", to: &bytes) }
        return bytes
    }

    /// A hundred years in seconds.
    private static let longestRetry: Int64 = 100 * 366 * 86_400
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func isLine(_ text: String) -> Bool {
        !text.utf8.contains { $0 == lineFeed || $0 == carriageReturn }
    }

    /// Appends a field for each line of a text.
    private static func append(lines text: String, as name: StaticString, to bytes: inout [UInt8]) {
        var previous: UInt8 = 0
        begin(name, &bytes)
        for byte in text.utf8 {
            defer { previous = byte }
            if byte == lineFeed, previous == carriageReturn { continue }
            if byte == lineFeed || byte == carriageReturn {
                bytes.append(lineFeed)
                begin(name, &bytes)
            } else {
                bytes.append(byte)
            }
        }
        bytes.append(lineFeed)
    }

    private static func begin(_ name: StaticString, _ bytes: inout [UInt8]) {
        name.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: " "))
    }
}

/// The error for an event that cannot be written, because a client would read another one.
struct InvalidServerSentEvent: Error, Hashable, CustomStringConvertible {
    /// A sentence that says what is wrong with the event.
    let description: String

    init(_ problem: String) { description = "A server-sent event was not sent: its \(problem)." }
}

/// A type whose values can be sent on an event stream: the events of a ``Topic`` that streams follow.
public protocol ServerSentEventConvertible: Sendable {
    /// Returns the event to send. A topic calls this once for each publication, for all subscribers, and sets the id.
    func serverSentEvent() throws -> ServerSentEvent
}

extension ServerSentEventConvertible where Self: Encodable {
    /// The value as JSON, of type `message`.
    public func serverSentEvent() throws -> ServerSentEvent { try ServerSentEvent(json: self) }
}
