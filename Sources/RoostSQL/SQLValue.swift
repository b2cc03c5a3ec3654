public import FoundationEssentials
public import Roost

/// A value in a database.
public enum SQLValue: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating-point number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue {
    /// Whether it is a text with NUL, which not every engine can keep.
    var hasNUL: Bool { if case .text(let text) = self { text.utf8.contains(0) } else { false } }

    /// The bytes of a text or a blob; 8 for any other value.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        default: 8
        }
    }

    /// Whether an engine treats both as the same; texts are compared by their bytes.
    public static func == (left: SQLValue, right: SQLValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right
        case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
        case (.blob(let left), .blob(let right)): left == right
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let number): hasher.combine(number)
        case .real(let number): hasher.combine(number)
        case .text(let text): hasher.combine(ExactText(text))
        case .blob(let bytes): hasher.combine(bytes)
        }
    }
}

/// A type whose values can be bound to a statement.
///
/// Your own `RawRepresentable` type needs only the conformance:
///
///     enum Role: String, SQLConvertible { case reader, editor }
public protocol SQLConvertible: Sendable {
    /// The value for the database.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a value that no database can store.
    var sqlValue: SQLValue { get throws }
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    /// The raw value.
    public var sqlValue: SQLValue { get throws { try rawValue.sqlValue } }
}

extension SQLConvertible where Self: BinaryInteger {
    /// A whole number.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a value that does not fit into a signed 64-bit integer.
    public var sqlValue: SQLValue {
        get throws {
            guard let number = Int64(exactly: self) else {
                throw DatabaseError.invalidValue("A \(Self.self) is beyond what a database's integers can hold.")
            }
            return .integer(number)
        }
    }
}

extension Int: SQLConvertible {}
extension Int8: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int32: SQLConvertible {}
extension Int64: SQLConvertible {}
extension UInt: SQLConvertible {}
extension UInt8: SQLConvertible {}
extension UInt16: SQLConvertible {}
extension UInt32: SQLConvertible {}
extension UInt64: SQLConvertible {}

extension SQLValue: SQLConvertible {
    /// The value itself.
    public var sqlValue: SQLValue { self }
}

extension Bool: SQLConvertible {
    /// 1 or 0, which PostgreSQL accepts as `boolean` too.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension SQLConvertible where Self: BinaryFloatingPoint {
    /// A floating-point number.
    public var sqlValue: SQLValue { .real(Double(self)) }
}

extension Double: SQLConvertible {}
extension Float: SQLConvertible {}

extension SQLConvertible where Self: StringProtocol {
    /// A text.
    public var sqlValue: SQLValue { .text(String(self)) }
}

extension String: SQLConvertible {}
extension Substring: SQLConvertible {}

extension SQLConvertible where Self: Sequence<UInt8> {
    /// Bytes.
    public var sqlValue: SQLValue { .blob(Array(self)) }
}

extension [UInt8]: SQLConvertible {}
extension Data: SQLConvertible {}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// The value, or `NULL`.
    public var sqlValue: SQLValue { get throws { try map { try $0.sqlValue } ?? .null } }
}

extension UUID: SQLConvertible {
    /// The UUID as lower-case text, as PostgreSQL shows it.
    public var sqlValue: SQLValue { .text(uuidString.lowercased()) }
}

extension LocalNumber: SQLConvertible {
    /// The number.
    public var sqlValue: SQLValue { value.sqlValue }
}

extension SQLConvertible where Self: ClockTime & CustomStringConvertible {
    /// The day as text, `2026-11-26`, or with the time, `2026-11-26T09:30`. As text in SQLite, they sort as calendars
    /// and clocks show them.
    public var sqlValue: SQLValue { .text(description) }
}

extension LocalDate: SQLConvertible {}
extension LocalDateTime: SQLConvertible {}

extension Date: SQLConvertible {
    /// The date in UTC with microseconds: `2026-11-21 10:50:01.000000Z`. As text in SQLite, such dates sort by time.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` outside the years 1 to 9999.
    public var sqlValue: SQLValue {
        get throws {
            guard let text = DateTime.timestamp(self) else {
                throw DatabaseError.invalidValue("A date lies outside the years 1 to 9999, as Date.distantPast does.")
            }
            return .text(text)
        }
    }
}

extension JSONCoder {
    /// A coder for what the program itself puts into a table and reads there, without the limits for what clients send.
    package static let stored = JSONCoder(
        dates: .iso8601WithMilliseconds, maximumMembers: .max, maximumValues: .max)
}
