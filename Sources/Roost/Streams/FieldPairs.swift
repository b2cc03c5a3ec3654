import HTTPTypes

/// The head of a response as pairs of bytes, the names in lower case, as HTTP/2 sends it (RFC 9113 §8.3.2). An object
/// serves one head after the other.
package final class FieldPairs {
    private let buffer = ByteBuffer()
    @exclusivity(unchecked) private var places: [Place] = []

    private struct Place {
        let name, value, end: Int
    }

    package init() {}

    /// The number of pairs.
    package var count: Int { places.count }

    /// Calls a function with each name and value, which are valid meanwhile.
    package func forEach(_ body: (UnsafeMutableBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>) -> Void) {
        for place in places {
            body(
                UnsafeMutableBufferPointer(start: buffer.base + place.name, count: place.value - place.name),
                UnsafeMutableBufferPointer(start: buffer.base + place.value, count: place.end - place.value))
        }
    }

    /// Writes a head: the fields that HTTP/1.1 would send, without those about the connection (RFC 9113 §8.2.2).
    /// - Parameter date: The field line of the date.
    /// - Throws: ``ResponseHeaderError`` for a field value with a control character.
    func write(
        _ response: borrowing Response, _ framing: ResponseSerializer.Framing, date: [UInt8]
    ) throws(ResponseHeaderError) {
        begin(response.status)
        let refused =
            response.headers.storage.firstIndex { !append($0) }.map { response.headers.storage.list[$0].name }
            ?? response.headers.shared?.list.first { !append($0) }?.name
        if let refused { throw ResponseHeaderError(name: refused.rawName) }
        writeEnd(framing, date)
    }

    private func begin(_ status: HTTPResponse.Status) {
        buffer.removeAll()
        places.removeAll(keepingCapacity: true)
        append(":status") { buffer.append(decimal: status.code) }
    }

    private func writeEnd(_ framing: ResponseSerializer.Framing, _ date: [UInt8]) {
        append("date") { buffer.append(date[6..<(date.count - 2)]) }
        if case .length(let length) = framing { append("content-length") { buffer.append(decimal: length) } }
    }

    private func append(_ name: StaticString, _ value: () -> Void) {
        let start = buffer.count
        buffer.append(name)
        value()
        places.append(Place(name: start, value: start + name.utf8CodeUnitCount, end: buffer.count))
    }

    /// Appends a field, unless it is about the connection. False when it must not be sent.
    private func append(_ field: borrowing Headers.Field) -> Bool {
        if Self.isOfConnection(field.name) { return true }
        let start = buffer.count
        buffer.append(field.name.canonicalName)
        let value = buffer.count
        // Blanks around it are no part of a value (RFC 9113 §8.2.1): with them, clients drop the field.
        let hasBlanks = Self.isBlank(field.value.utf8.first) || Self.isBlank(field.value.utf8.last)
        buffer.append(hasBlanks ? String(field.value.trimmingBlanks()) : field.value)
        let end = buffer.count
        places.append(Place(name: start, value: value, end: end))
        // The search for a control character stops there at the latest.
        buffer.append(0)
        return FieldContent.end(from: value, in: buffer.base, limit: buffer.count) == end
    }

    private static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isOfConnection(_ name: HTTPField.Name) -> Bool {
        if ResponseSerializer.isFraming(name) { return true }
        switch name.canonicalName {
        case "upgrade", "keep-alive", "proxy-connection": return true
        default: return false
        }
    }
}
