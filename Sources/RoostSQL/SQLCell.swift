/// One value of a row where it lies in the driver's memory, so that it can be read without a call (``SQLRow/cells()``).
public struct SQLCell {
    /// The kind of a value, which tells how it is read.
    @usableFromInline
    enum Kind: UInt8 {
        case null, integer, text
        /// Anything else, which is read by the row's functions.
        case other
    }

    @usableFromInline let kind: Kind
    /// A whole number, or how many bytes a text has.
    @usableFromInline let number: Int64
    /// The first byte of a text; nil for any other value.
    @usableFromInline let base: UnsafePointer<UInt8>?

    @usableFromInline
    init(_ kind: Kind, _ number: Int64 = 0, _ base: UnsafePointer<UInt8>? = nil) {
        self.kind = kind
        self.number = number
        self.base = base
    }

    /// `NULL`.
    public static var null: SQLCell { SQLCell(.null) }
    /// Anything that is neither `NULL` nor a whole number nor a text.
    public static var other: SQLCell { SQLCell(.other) }
    /// A whole number.
    public static func integer(_ value: Int64) -> SQLCell { SQLCell(.integer, value) }
    /// A text in UTF-8.
    public static func text(_ base: UnsafePointer<UInt8>, count: Int) -> SQLCell {
        SQLCell(.text, Int64(truncatingIfNeeded: count), base)
    }

    /// The text; what is not UTF-8 in it becomes U+FFFD.
    @usableFromInline
    var text: String {
        guard let base else { return "" }
        let count = Int(truncatingIfNeeded: number)
        if count <= Self.shortest { return Self.short(base, count) }
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// The most bytes that a `String` holds without memory of its own.
    private static var shortest: Int { 15 }

    /// A short text, made in place: it is not read twice, as it would be to find out whether it is UTF-8 or ASCII.
    private static func short(_ base: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: count) { room in
            guard let target = UnsafeMutableRawPointer(room.baseAddress) else { return 0 }
            let source = UnsafeRawPointer(base)
            if count >= 8 {
                copy(UInt64.self, source, target, 0)
                copy(UInt64.self, source, target, count &- 8)
            } else if count >= 4 {
                copy(UInt32.self, source, target, 0)
                copy(UInt32.self, source, target, count &- 4)
            } else {
                for index in 0..<count { copy(UInt8.self, source, target, index) }
            }
            return count
        }
    }

    @inline(__always)
    private static func copy<Word: BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ index: Int
    ) {
        let word = source.loadUnaligned(fromByteOffset: index, as: Word.self)
        target.storeBytes(of: word, toByteOffset: index, as: Word.self)
    }
}
