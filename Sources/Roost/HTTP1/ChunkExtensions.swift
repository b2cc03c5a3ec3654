/// Reads over the extensions of one chunk, byte by byte (RFC 9112 §7.1.1).
///
///     chunk-ext     = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
///     chunk-ext-val = token / quoted-string
///
/// No extensions are known here, so all are ignored. But anything that is not an extension is refused, because another
/// server may take it for the end of the line. It begins after the first semicolon.
enum ChunkExtensions: Sendable {
    case nameStart
    case name
    case nameEnd
    case valueStart
    case value
    case quoted
    case escaped
    case quotedEnd
    case valueEnd

    /// Whether the line may end here.
    var isWhole: Bool {
        switch self {
        case .name, .value, .quotedEnd: true
        default: false
        }
    }

    /// The state after the next byte; nil when the byte is not allowed.
    func next(_ byte: UInt8) -> ChunkExtensions? {
        switch self {
        case .quoted where byte == UInt8(ascii: "\""): .quotedEnd
        case .quoted where byte == UInt8(ascii: "\\"): .escaped
        case .quoted, .escaped: ByteSet.fieldContent.contains(byte) ? .quoted : nil
        default: nextOutsideQuotes(byte)
        }
    }

    private func nextOutsideQuotes(_ byte: UInt8) -> ChunkExtensions? {
        switch (self, byte) {
        case (.nameStart, 0x20), (.nameStart, 0x09): .nameStart
        case (.name, 0x20), (.name, 0x09), (.nameEnd, 0x20), (.nameEnd, 0x09): .nameEnd
        case (.valueStart, 0x20), (.valueStart, 0x09): .valueStart
        case (_, 0x20), (_, 0x09): .valueEnd
        case (.nameStart, UInt8(ascii: ";")), (.valueStart, UInt8(ascii: ";")): nil
        case (_, UInt8(ascii: ";")): .nameStart
        case (.name, UInt8(ascii: "=")), (.nameEnd, UInt8(ascii: "=")): .valueStart
        case (.valueStart, UInt8(ascii: "\"")): .quoted
        case (.nameStart, _), (.name, _): ByteSet.token.contains(byte) ? .name : nil
        case (.valueStart, _), (.value, _): ByteSet.token.contains(byte) ? .value : nil
        default: nil
        }
    }
}
