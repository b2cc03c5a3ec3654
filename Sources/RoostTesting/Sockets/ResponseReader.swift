import HTTPTypes
import Roost

/// Reads one response, refusing everything that RFC 9112 does not allow a server to write.
///
/// It pulls its input, so that the code reads like the grammar: ``IncomingBytes`` waits when more bytes are needed.
struct ResponseReader {
    var incoming: IncomingBytes
    let method: HTTPRequest.Method

    /// The framing of the body, which decides where it ends (RFC 9112 §6.3).
    private enum Framing {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    /// Reads from these bytes, which can be read again after an error.
    static func reading<Value>(
        _ incoming: inout IncomingBytes, to method: HTTPRequest.Method, _ body: (inout ResponseReader) throws -> Value
    ) throws -> Value {
        var reader = ResponseReader(incoming: incoming, method: method)
        defer { incoming = reader.incoming }
        do {
            return try body(&reader)
        } catch {
            reader.incoming.rewind()
            throw error
        }
    }

    mutating func read() throws -> WireClient.Response {
        var response = try head()
        switch try framing(response.status, response.headers) {
        case .none: break
        case .length(let count): response.body = Array(try incoming.take(count, of: "the body of the response"))
        case .chunked:
            response.body = try chunks()
            response.trailers = try fields(of: "the trailers of the response")
        case .untilClose: response.body = Array(try incoming.takeToEnd(of: "the body of the response"))
        }
        return response
    }

    /// Reads a response without its body.
    mutating func head() throws -> WireClient.Response {
        let status = try statusLine()
        return WireClient.Response(status: status, headers: try fields(of: "the head of the response"))
    }

    // status-line = HTTP-version SP status-code SP [ reason-phrase ]      (RFC 9112 §4)
    private mutating func statusLine() throws -> HTTPResponse.Status {
        let line = try incoming.line(of: "the head of the response")
        let version = Array("HTTP/1.1 ".utf8)
        guard line.starts(with: version) else { throw incoming.malformed("the status line does not begin HTTP/1.1") }
        let rest = line.dropFirst(version.count)
        let digits = rest.prefix(3)
        guard let code = Self.number(digits, radix: 10), 100...599 ~= code, digits.count == 3 else {
            throw incoming.malformed("the status code is not three digits from 100 to 599")
        }
        let reason = rest.dropFirst(3)
        guard reason.first == UInt8(ascii: " "), reason.allSatisfy(Self.isText) else {
            throw incoming.malformed("the status code is not followed by a space and a reason phrase")
        }
        return HTTPResponse.Status(code: code, reasonPhrase: String(decoding: reason.dropFirst(), as: UTF8.self))
    }

    // field-line = field-name ":" OWS field-value OWS, up to an empty line      (RFC 9112 §5)
    private mutating func fields(of purpose: String) throws -> Headers {
        var fields = Headers()
        while true {
            let line = try incoming.line(of: purpose)
            if line.isEmpty { return fields }
            let (name, value) = try field(line)
            fields.append(name, value)
        }
    }

    private func field(_ line: ArraySlice<UInt8>) throws -> (HTTPField.Name, String) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw incoming.malformed("the header line '\(text)' has no colon")
        }
        // A name cannot contain a space, so neither a folded line nor a space before the colon is accepted.
        guard let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self)) else {
            throw incoming.malformed("the name in the header line '\(text)' is not a token")
        }
        let value = Substring(decoding: line[(colon + 1)...], as: UTF8.self).trimmingBlanks()
        guard value.utf8.allSatisfy(Self.isText) else {
            throw incoming.malformed("the value in the header line '\(text)' has a control character")
        }
        return (name, String(value))
    }

    private func framing(_ status: HTTPResponse.Status, _ headers: Headers) throws -> Framing {
        let lengths = headers[values: .contentLength]
        let codings = headers[values: .transferEncoding]
        guard lengths.count < 2 else { throw incoming.malformed("there is more than one Content-Length") }
        guard lengths.isEmpty || codings.isEmpty else {
            throw incoming.malformed("Content-Length stands beside Transfer-Encoding")
        }
        let length = try lengths.first.map(contentLength)
        guard codings.isEmpty || codings == ["chunked"] else {
            throw incoming.malformed("Transfer-Encoding is not 'chunked'")
        }
        // RFC 9110 §8.6, RFC 9112 §6.1: these responses have no body, and no field may announce one.
        if status.code < 200 || status.code == 204 {
            guard length == nil, codings.isEmpty else { throw incoming.malformed("\(status.code) announces a body") }
            return .none
        }
        if method == .head || status.code == 304 { return .none }
        if !codings.isEmpty { return .chunked }
        return length.map(Framing.length) ?? .untilClose
    }

    // Content-Length = 1*DIGIT      (RFC 9110 §8.6)
    private func contentLength(_ value: String) throws -> Int {
        guard let length = Self.number(Array(value.utf8)[...], radix: 10) else {
            throw incoming.malformed("the Content-Length '\(value)' is not a number")
        }
        return length
    }

    // chunk = chunk-size CRLF chunk-data CRLF, the last one with size 0 and no data      (RFC 9112 §7.1)
    // Chunk extensions are legal, but no server has a reason to write one, so they are refused too.
    private mutating func chunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while let chunk = try chunk(of: "a chunk size") { body += chunk }
        return body
    }

    /// The data of the next chunk, whose size is waited for; nil for the last chunk.
    mutating func chunk(of purpose: String) throws -> [UInt8]? {
        let line = try incoming.line(of: purpose)
        guard let size = Self.number(line, radix: 16) else {
            throw incoming.malformed("the chunk size '\(String(decoding: line, as: UTF8.self))' is not hexadecimal")
        }
        if size == 0 { return nil }
        let data = Array(try incoming.take(size, of: "a chunk of the body"))
        guard try incoming.take(2, of: "the end of a chunk").elementsEqual("\r\n".utf8) else {
            throw incoming.malformed("a chunk does not end with CRLF")
        }
        return data
    }

    /// The number that the digits stand for; `Int.init` would also accept a sign.
    private static func number(_ digits: ArraySlice<UInt8>, radix: Int) -> Int? {
        guard digits.allSatisfy({ UInt8(ascii: "+") != $0 && UInt8(ascii: "-") != $0 }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: radix)
    }

    /// HTAB, SP, VCHAR or obs-text.
    private static func isText(_ byte: UInt8) -> Bool {
        byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
    }
}
