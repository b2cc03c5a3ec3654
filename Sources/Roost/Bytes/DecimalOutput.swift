/// Writes the text of a floating-point number into a buffer.
///
/// Numbers pass their digits to `_writeASCII`, whose default makes a `String` of them. If the standard library did not
/// have that method, the bytes would come through `write`.
struct DecimalOutput: TextOutputStream {
    let buffer: ByteBuffer

    mutating func write(_ text: String) { buffer.append(text) }

    mutating func _writeASCII(_ bytes: UnsafeBufferPointer<UInt8>) { buffer.append(bytes) }
}
