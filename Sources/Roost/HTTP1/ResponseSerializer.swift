import HTTPTypes

// A response → bytes (RFC 9112 §4, §6.1). Only this file writes the fields that frame the message: what the application
// has set under these names is left out, so that none of its headers can state another length than the body has.

/// Writes the heads of responses.
enum ResponseSerializer {
    /// The framing of a response's body, by which its end is found.
    enum Framing: Equatable {
        /// The status or the request's method rules out a body, and a length (RFC 9110 §8.6).
        case none
        case length(Int)
        case chunked
        /// HTTP/1.0 has no chunks: the end of the connection ends the body.
        case close
    }

    /// The connection option in the head (RFC 9112 §9.3); without one, the connection persists, except to HTTP/1.0.
    enum ConnectionOption {
        case none
        case keepAlive
        case close
        /// The field `Upgrade` is about this connection: it changes its protocol, or could have (RFC 9110 §7.8).
        case upgrade
    }

    /// Writes the status line and the fields, including the empty line.
    /// - Throws: ``ResponseHeaderError`` for a field value that would break the message apart; then nothing is written.
    static func write(
        _ response: borrowing Response,
        _ framing: Framing,
        _ option: ConnectionOption,
        date: [UInt8],
        to output: ByteBuffer
    ) throws(ResponseHeaderError) {
        let start = output.count
        writeStatusLine(response.status, to: output)
        if let refused = writeFields(response.headers, to: output) {
            output.truncate(to: start)
            throw ResponseHeaderError(name: refused.rawName)
        }
        writeEnd(framing, option, date: date, to: output)
    }

    /// Writes a head without fields from the application.
    static func writePlainHead(
        _ status: HTTPResponse.Status,
        _ framing: Framing,
        _ option: ConnectionOption,
        date: [UInt8],
        to output: ByteBuffer
    ) {
        writeStatusLine(status, to: output)
        writeEnd(framing, option, date: date, to: output)
    }

    /// Writes the head of a response to what could not be parsed: a ``Refusal``, after which the connection closes.
    static func writeRefusal(
        _ status: HTTPResponse.Status, _ headers: Headers = [:], length: Int, date: [UInt8], to output: ByteBuffer
    ) {
        writeStatusLine(status, to: output)
        _ = writeFields(headers, to: output)
        output.append("Content-Type: \(Refusal.contentType)\r\n")
        writeEnd(.length(length), .close, date: date, to: output)
    }

    /// `status-line = HTTP-version SP status-code SP [ reason-phrase ]`; the version is always ours (RFC 9110 §6.2).
    private static func writeStatusLine(_ status: HTTPResponse.Status, to output: ByteBuffer) {
        if status.code == 200 { return output.append("HTTP/1.1 200 OK\r\n") }
        output.append("HTTP/1.1 ")
        if status.code < 100 { output.append(status.code < 10 ? "00" : "0") }
        output.append(decimal: status.code)
        output.append(UInt8(ascii: " "))
        output.append(status.reasonPhrase)
        output.append("\r\n")
    }

    /// Writes the application's field lines; returns the name of the first that must not be sent.
    private static func writeFields(_ headers: borrowing Headers, to output: ByteBuffer) -> HTTPField.Name? {
        if let refused = headers.storage.firstIndex(where: { !write($0, to: output) }) {
            return headers.storage.list[refused].name
        }
        guard let shared = headers.shared else { return nil }
        output.append(shared.lines)
        return shared.refused
    }

    /// Writes the line of a field, unless the server writes that field itself. False when it must not be sent.
    private static func write(_ field: borrowing Headers.Field, to output: ByteBuffer) -> Bool {
        isFraming(field.name) || field.write(to: output)
    }

    private static func writeEnd(
        _ framing: Framing,
        _ option: ConnectionOption,
        date: [UInt8],
        to output: ByteBuffer
    ) {
        output.append(date)
        switch framing {
        case .none, .close: break
        case .length(let length):
            output.append("Content-Length: ")
            output.append(decimal: length)
            output.append("\r\n")
        case .chunked: output.append("Transfer-Encoding: chunked\r\n")
        }
        switch option {
        case .none: break
        case .keepAlive: output.append("Connection: keep-alive\r\n")
        case .close: output.append("Connection: close\r\n")
        case .upgrade: output.append("Connection: Upgrade\r\n")
        }
        output.append("\r\n")
    }

    /// Whether a field says how the message is framed, or when it was made: the server writes that itself.
    static func isFraming(_ name: HTTPField.Name) -> Bool {
        switch name.canonicalName.utf8.count {
        case 4: name == .date
        case 10: name == .connection
        case 14: name == .contentLength
        case 17: name == .transferEncoding
        default: false
        }
    }

    /// Writes a piece of a body that comes over time. An empty chunk would end the body, so no bytes write nothing.
    static func writePiece(_ bytes: [UInt8], _ framing: Framing, to output: ByteBuffer) {
        guard framing == .chunked else { return output.append(bytes) }
        guard !bytes.isEmpty else { return }
        output.append(String(bytes.count, radix: 16))
        output.append("\r\n")
        output.append(bytes)
        output.append("\r\n")
    }

    /// Writes what ends such a body.
    static func writeBodyEnd(_ framing: Framing, to output: ByteBuffer) {
        if framing == .chunked { output.append("0\r\n\r\n") }
    }
}

/// The application set a header value that contains a control character, such as a line break; it is never sent.
struct ResponseHeaderError: Error, CustomStringConvertible {
    let name: String
    var description: String {
        "The value of the response header \(name) contains a control character; remove it before setting the header."
    }
}

extension ResponseSerializer.Framing {
    /// The framing of a response's body; the same when the body is left out for a HEAD (RFC 9112 §6.1, §6.3; RFC 9110
    /// §8.6).
    init(of response: borrowing Response, isHTTP10: Bool) {
        switch response.status.code {
        case 100..<200, 204, 304: self = .none
        case 205: self = .length(0)
        default: self = response.body.count.map { .length($0) } ?? (isHTTP10 ? .close : .chunked)
        }
    }
}

extension ResponseSerializer {
    /// Whether a body follows the head: not in response to HEAD, and not when the status rules it out, whatever the
    /// application has set (RFC 9110 §6.4.1, §15.3.6).
    static func sendsBody(_ status: HTTPResponse.Status, toHead isHead: Bool) -> Bool {
        switch status.code {
        case 100..<200, 204, 205, 304: false
        default: !isHead
        }
    }
}
