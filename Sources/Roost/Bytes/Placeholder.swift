import FoundationEssentials

/// A stand-in for a value that could not be read, so that what comes after it is read, too. Nobody sees it: the input
/// is refused.
enum Placeholder {
    static func value<Value>(of type: Value.Type) -> Value? {
        switch type {
        case is String.Type: return "" as? Value
        case is Bool.Type: return false as? Value
        case is Date.Type: return Date(timeIntervalSince1970: 0) as? Value
        case is UUID.Type: return UUID() as? Value
        case is Decimal.Type: return Decimal() as? Value
        case is URL.Type: return URL(string: "https://example.com/") as? Value
        default: break
        }
        if let type = type as? any BinaryInteger.Type { return zero(type) as? Value }
        if let type = type as? any BinaryFloatingPoint.Type { return zero(type) as? Value }
        if let type = type as? any CaseIterable.Type { return first(type) as? Value }
        if let type = type as? any Substitutable.Type { return type.placeholder as? Value }
        return nil
    }

    /// A list without elements, in place of one that has an element without a stand-in; nil for a type that is no list.
    static func list<Value>(of type: Value.Type) -> Value? {
        (type as? any StandardList.Type)?.init() as? Value
    }

    private static func zero<Number: Numeric>(_ type: Number.Type) -> Number { Number.zero }
    private static func first<Choice: CaseIterable>(_ type: Choice.Type) -> Choice? { type.allCases.first }
}

/// A list of the standard library, which may be empty: other types that are written as lists may refuse that.
private protocol StandardList { init() }

extension Array: StandardList {}
extension ContiguousArray: StandardList {}
extension Set: StandardList {}

/// A type of its own kind that can be read, with the stand-in for its values.
protocol Substitutable {
    static var placeholder: Self { get }
}
