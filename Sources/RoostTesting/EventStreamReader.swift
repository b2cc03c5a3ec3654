/// Reads an event stream as a browser does (WHATWG HTML, 9.2.6).
package struct EventStreamReader {
    /// An event that a script would get.
    package struct Event: Equatable, Sendable {
        package var type: String
        package var data: String
        package var lastID: String
    }

    package private(set) var events: [Event] = []
    /// The value that the client would send as `Last-Event-ID`.
    package private(set) var lastID: String
    package private(set) var retry: Int?
    package private(set) var comments = 0
    private var idBuffer: String
    private var type = ""
    private var data = ""
    private var rest: [UInt8] = []

    /// - Parameter lastID: The value that the client has sent as `Last-Event-ID`.
    package init(after lastID: String = "") {
        self.lastID = lastID
        idBuffer = lastID
    }

    /// The events of a whole stream.
    package static func events(in bytes: [UInt8]) -> [Event] {
        var reader = EventStreamReader()
        reader.read(bytes)
        return reader.events
    }

    /// Reads some more bytes, whose lines end with LF alone.
    package mutating func read(_ bytes: [UInt8]) {
        rest += bytes
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(rest[..<end])
            rest.removeSubrange(...end)
            take(line)
        }
    }

    private mutating func take(_ line: [UInt8]) {
        if line.isEmpty { return dispatch() }
        if line.first == UInt8(ascii: ":") {
            comments += 1
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": type = text
        case "data": data += text + "\n"
        case "id": if !value.contains(0) { idBuffer = text }
        case "retry": if !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }) { retry = Int(text) }
        default: break
        }
    }

    private mutating func dispatch() {
        lastID = idBuffer
        defer { (type, data) = ("", "") }
        guard !data.isEmpty else { return }
        data.unicodeScalars.removeLast()
        events.append(Event(type: type.isEmpty ? "message" : type, data: data, lastID: lastID))
    }
}
