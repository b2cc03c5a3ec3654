public import FoundationEssentials
import Roost

/// A value by which a list is sorted, and which a cursor carries as text.
public protocol PageKey: SQLConvertible {
    /// Reads the text of a cursor, which a client sends; nil if it is none.
    init?(cursor: String)
    /// The text in a cursor.
    var cursor: String { get }
}

extension Int: PageKey {
    /// Reads decimal digits.
    public init?(cursor: String) { self.init(cursor) }
    /// Decimal digits.
    public var cursor: String { "\(self)" }
}

extension Double: PageKey {
    /// Reads the shortest digits.
    public init?(cursor: String) {
        guard let value = Double(cursor), value.isFinite else { return nil }
        self = value
    }
    /// The shortest digits that mean the same number.
    public var cursor: String { "\(self)" }
}

extension String: PageKey {
    /// Takes any text but one with NUL, which no database has in a text.
    public init?(cursor: String) {
        guard !cursor.utf8.contains(0) else { return nil }
        self = cursor
    }
    /// The text.
    public var cursor: String { self }
}

extension UUID: PageKey {
    /// Reads hexadecimal digits.
    public init?(cursor: String) { self.init(uuidString: cursor) }
    /// Hexadecimal digits.
    public var cursor: String { uuidString }
}

extension Date: PageKey {
    /// Reads microseconds since 1970.
    public init?(cursor: String) {
        // From year 1 to year 9999, as the databases have them.
        guard let count = Int64(cursor), (-62_135_596_800_000_000..<253_402_300_800_000_000).contains(count) else {
            return nil
        }
        self.init(timeIntervalSince1970: Double(count) / 1_000_000)
    }
    /// Microseconds since 1970, as exact as databases keep a time.
    public var cursor: String { "\(Int64((timeIntervalSince1970 * 1_000_000).rounded()))" }
}

/// The parts of a cursor: the id of a row and, behind a dot, the value by which it is sorted. They are told apart by
/// bytes, since a value may begin with a mark that makes one character with the dot.
package struct PageCursor {
    /// The id.
    package let id: String
    /// The value; nil in a list that is sorted by ids alone.
    package let value: String?

    /// Reads a text that a client has sent.
    package init(_ text: String) {
        let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) ?? text.endIndex
        id = String(decoding: text.utf8[..<dot], as: UTF8.self)
        value = dot == text.endIndex ? nil : String(decoding: text.utf8[dot...].dropFirst(), as: UTF8.self)
    }
}
