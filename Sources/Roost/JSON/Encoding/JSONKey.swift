/// A name or an index on the way to a value in a JSON document.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// A name as it is written in a document: in quotation marks, and perhaps with its colon.
    init(writtenName: ArraySlice<UInt8>) {
        let end = writtenName.lastIndex(of: UInt8(ascii: "\"")) ?? writtenName.endIndex
        let inside = writtenName.prefix(upTo: end).dropFirst()
        let bytes = Array(inside).withUnsafeBufferPointer { JSONUnescaping.bytes(of: $0) }
        self.init(stringValue: String(decoding: bytes, as: UTF8.self))
    }

    /// The name that a base class is written under.
    static let base = JSONKey(stringValue: "super")
}
