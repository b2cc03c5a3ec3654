import RoostSQL

/// A statement's values as libpq takes them: numbers and texts as text, which the server converts to the type that it
/// expects; bytes as they are.
struct StatementParameters: Sendable {
    /// All values, each text followed by a NUL.
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// - Throws: ``DatabaseError/invalidValue(_:)`` for a value that the protocol or PostgreSQL cannot represent.
    init(_ values: [SQLValue]) throws(DatabaseError) {
        guard values.count <= Int(UInt16.max) else {
            throw .invalidValue("A statement can have \(UInt16.max) values at most, and this one has \(values.count).")
        }
        for value in values { try add(value) }
    }

    private mutating func add(_ value: SQLValue) throws(DatabaseError) {
        switch value {
        case .null: add(offset: -1, length: 0, format: 0)
        case .integer(let number): add(text: String(number).utf8)
        case .real(let number): add(text: number.description.utf8)
        case .text(let text):
            guard !text.utf8.contains(0) else {
                throw .invalidValue("PostgreSQL cannot store a text that contains a null character (U+0000).")
            }
            add(text: text.utf8)
        case .blob(let blob):
            guard let length = Int32(exactly: blob.count) else { throw .invalidValue("A value is larger than 2 GiB.") }
            add(offset: bytes.count, length: length, format: 1)
            bytes += blob
            bytes.append(0)
        }
    }

    private mutating func add(text: String.UTF8View) {
        add(offset: bytes.count, length: 0, format: 0)
        bytes += text
        bytes.append(0)
    }

    private mutating func add(offset: Int, length: Int32, format: Int32) {
        offsets.append(offset)
        lengths.append(length)
        formats.append(format)
    }

    /// The number of values, and their pointers, lengths and formats, valid during the call.
    func with<Value>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) -> Value
    ) -> Value {
        bytes.withUnsafeBytes { bytes in
            let values = offsets.map { offset in
                offset < 0 ? nil : bytes.baseAddress.map { ($0 + offset).assumingMemoryBound(to: CChar.self) }
            }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(Int32(values.count), values.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }
}
