import RoostSQL

/// A statement's values as libpq takes them: numbers and texts as text, which the server converts to the type that it
/// expects; bytes as they are.
struct StatementParameters: Sendable {
    private let values: [SQLValue]
    /// The most bytes that the values take, each text and number with a NUL.
    let size: Int

    /// The most bytes of a number's text, with its sign and a NUL.
    private static let numberSize = 32

    /// - Parameter longest: The most bytes of a value. The protocol counts them in 32 bits.
    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a value that the protocol or PostgreSQL cannot represent.
    init(_ values: [SQLValue], longest: Int = Int(Int32.max)) throws(DatabaseError) {
        guard values.count <= Int(UInt16.max) else {
            throw .invalidValue("A statement can have \(UInt16.max) values at most, and this one has \(values.count).")
        }
        var size = 0
        for value in values {
            let length = try Self.size(of: value)
            guard length <= longest else { throw .invalidValue("A value is larger than 2 GiB.") }
            size += length
        }
        self.values = values
        self.size = size
    }

    private static func size(of value: SQLValue) throws(DatabaseError) -> Int {
        switch value {
        case .null: return 0
        case .integer, .real: return numberSize
        case .text(let text):
            guard !text.utf8.contains(0) else {
                throw .invalidValue("PostgreSQL cannot store a text that contains a null character (U+0000).")
            }
            return text.utf8.count + 1
        case .blob(let blob): return blob.count + 1
        }
    }

    /// The number of values, and their pointers, lengths and formats, valid during the call.
    func with<Value>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { bytes in
            withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: values.count) { pointers in
                withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * values.count) { numbers in
                    var place = bytes.baseAddress
                    for (index, value) in values.enumerated() {
                        let length = place.flatMap { Self.write(value, to: $0) }
                        pointers.initializeElement(at: index, to: length == nil ? nil : place.map { UnsafePointer($0) })
                        numbers.initializeElement(at: index, to: Int32(length ?? 0))
                        numbers.initializeElement(at: values.count + index, to: Self.isBytes(value) ? 1 : 0)
                        if let length { place = place.map { $0 + length + 1 } }
                    }
                    let lengths = numbers.baseAddress.map { UnsafePointer($0) }
                    return body(
                        Int32(values.count), pointers.baseAddress.map { UnsafePointer($0) }, lengths,
                        lengths.map { $0 + values.count })
                }
            }
        }
    }

    private static func isBytes(_ value: SQLValue) -> Bool {
        if case .blob = value { true } else { false }
    }

    /// Writes a value and a NUL; returns its length, or nil for `NULL`.
    private static func write(_ value: SQLValue, to place: UnsafeMutablePointer<CChar>) -> Int? {
        switch value {
        case .null: return nil
        case .integer(let number): return write(number.description.utf8, to: place)
        case .real(let number): return write(number.description.utf8, to: place)
        case .text(let text): return write(text.utf8, to: place)
        case .blob(let blob): return write(blob, to: place)
        }
    }

    private static func write(_ bytes: some Collection<UInt8>, to place: UnsafeMutablePointer<CChar>) -> Int {
        let target = UnsafeMutableRawBufferPointer(start: place, count: bytes.count)
        target.copyBytes(from: bytes)
        place[bytes.count] = 0
        return bytes.count
    }
}
