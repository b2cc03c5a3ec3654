import FoundationEssentials

/// The ways in which values are written, by type, for the types that a tape has met.
///
/// To ask the runtime for a conformance takes longer than to write a small value.
struct TapeShapes: ~Copyable {
    enum Shape {
        /// By `encode(to:)`.
        case encodable
        /// The same, into an object whose names are data.
        case named(isUnordered: Bool)
        /// The way of ``SelfWriting``.
        case fields(any SelfWriting.Type)
        /// The way of an array of such values.
        case list(any SelfWriting.Type)
        /// By ``ValueTape/writeKnown(_:to:)``.
        case known
    }

    private var shapes = TypeTable<Shape>()

    /// The shape of a type.
    @inline(__always)
    mutating func shape<Value>(of type: Value.Type) -> Shape {
        shapes.value(of: type) { Self.shape(ofNew: type) }.pointee
    }

    private static func shape<Value>(ofNew type: Value.Type) -> Shape {
        if type == Date.self || type == Data.self || type == URL.self || type == Decimal.self { return .known }
        if let writing = type as? any SelfWriting.Type { return .fields(writing) }
        if let list = type as? any SelfWritingList.Type { return .list(list.element) }
        guard let named = type as? any NamedByData.Type else { return .encodable }
        return .named(isUnordered: named.isUnordered)
    }
}

/// An array of values that write themselves.
private protocol SelfWritingList {
    static var element: any SelfWriting.Type { get }
}

extension Array: SelfWritingList where Element: SelfWriting {
    fileprivate static var element: any SelfWriting.Type { Element.self }
}

/// Marks types whose objects have names that are data.
protocol NamedByData {
    /// Whether the order of the names means nothing.
    static var isUnordered: Bool { get }
}

/// A dictionary: two equal ones may differ in their order, which depends on the address of their memory.
extension Dictionary: NamedByData {
    static var isUnordered: Bool { true }
}

/// Values that are written otherwise than they would encode themselves, such as a `Date`.
extension ValueTape {
    /// Writes a value of a type that is ``TapeShapes/Shape/known``. Bytes are written in base64.
    @inline(never)
    func writeKnown(_ value: some Encodable, to cell: UInt32) throws {
        switch value {
        case let date as Date: set(cell, .date, date.timeIntervalSince1970.bitPattern)
        case let data as Data: set(cell, data.base64EncodedString())
        case let url as URL: set(cell, url.absoluteString)
        case let number as Decimal:
            if number.isFinite { set(cell, number.description, as: .digits) } else { set(cell, Double.nan) }
        default: try value.encode(to: TapeEncoder(tape: self, cell: cell))
        }
    }
}
