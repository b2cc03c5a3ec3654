@testable import Roost

/// Text that passes the scanner is decoded, and what was decoded, encoded again, is decoded as the same, also when it
/// is indented; text that the scanner refuses is not decoded. All names can be written in snake case.
func fuzzJSON(_ bytes: [UInt8]) throws {
    _ = JSONSnakeCase.of(String(decoding: bytes, as: UTF8.self))
    var coder = JSONCoder()
    var scanned: JSONSyntaxError?
    bytes.withUnsafeBufferPointer { bytes in
        var scanner = JSONScanner(bytes, maximumDepth: coder.maximumDepth)
        do throws(JSONSyntaxError) { try scanner.scan() } catch { scanned = error }
    }
    // A number beyond the range of `Double` passes the scanner, but the decoder refuses it.
    guard let value = try? coder.decode(AnyJSON.self, from: bytes) else { return }
    try hold(scanned == nil, "what is decoded has passed the scanner: \(String(describing: scanned))")
    let encoded = try coder.encode(value)
    try same(coder.decode(AnyJSON.self, from: encoded), value, "a value encoded anew")
    coder.isSafeInHTML = true
    coder.layout = .pretty
    let page = try coder.encode(value)
    try hold(!page.contains { "<>&".utf8.contains($0) }, "nothing that could end a script")
    try same(coder.decode(AnyJSON.self, from: page), value, "a value encoded anew, indented")
}

/// Any JSON value.
private enum AnyJSON: Codable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([AnyJSON])
    case object([String: AnyJSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([AnyJSON].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: AnyJSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
