/// Takes the text of a floating-point number into a buffer.
///
/// Numbers hand their digits to `_writeASCII`, which by default makes a `String` of them; without that method in the
/// standard library the bytes would come through `write`.
struct DecimalOutput: TextOutputStream {
    let buffer: ByteBuffer

    mutating func write(_ text: String) { buffer.append(text) }

    mutating func _writeASCII(_ bytes: UnsafeBufferPointer<UInt8>) { buffer.append(bytes) }
}
