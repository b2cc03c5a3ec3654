/// Writes frames (RFC 6455 §5.2).
package enum FrameWriter {
    /// Writes a whole frame.
    /// - Parameter mask: The masking key of a client; a server's frames have none (RFC 6455 §5.1).
    package static func write(
        _ opcode: FrameOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        _ payload: UnsafeBufferPointer<UInt8>,
        mask: UInt32? = nil,
        to output: ByteBuffer
    ) {
        output.reserve(payload.count &+ 14)
        output.append(opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0))
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: output.append(UInt8(truncatingIfNeeded: payload.count) | maskBit)
        case ..<0x1_0000:
            output.append(126 | maskBit)
            append(UInt16(truncatingIfNeeded: payload.count), to: output)
        default:
            output.append(127 | maskBit)
            append(UInt64(payload.count), to: output)
        }
        guard let mask else { return output.append(payload) }
        append(mask, to: output)
        let start = output.count
        output.append(payload)
        var key = FrameMask(output.base + start - 4)
        key.apply(to: UnsafeMutableBufferPointer(start: output.base + start, count: payload.count))
    }

    /// Writes a Close frame. A reason of more than 123 bytes is cut where a character begins (RFC 6455 §5.5.1).
    package static func writeClose(
        _ code: WebSocketCloseCode?, _ reason: String, mask: UInt32? = nil, to output: ByteBuffer
    ) {
        let payload = closePayload(code, reason)
        payload.withUnsafeBufferPointer { write(.close, $0, mask: mask, to: output) }
    }

    private static func closePayload(_ code: WebSocketCloseCode?, _ reason: String) -> [UInt8] {
        guard let code else { return [] }
        let reason = reason.prefix(bytes: FrameHeader.maximumControlLength - 2)
        return [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.utf8
    }

    private static func append(_ number: some FixedWidthInteger, to output: ByteBuffer) {
        withUnsafeBytes(of: number.bigEndian) {
            output.append(UnsafeBufferPointer(start: $0.bindMemory(to: UInt8.self).baseAddress, count: $0.count))
        }
    }
}
