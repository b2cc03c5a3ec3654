/// The names of an object's members.
extension JSONDocument {
    /// Appends a name and its colon.
    @inline(__always)
    func appendName(_ key: some CodingKey) {
        append(key.stringValue)
        buffer.append(UInt8(ascii: ":"))
    }
}
