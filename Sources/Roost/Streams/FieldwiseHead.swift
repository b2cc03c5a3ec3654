/// The head of a request whose parts come one by one, as in HTTP/2 (RFC 9113 §8.3).
///
/// It is written as the head of HTTP/1.1 that says the same, so that one parser checks the requests of both, with the
/// same limits. What would end a line early never gets into one. An object serves one head after the other.
package final class FieldwiseHead {
    private let limits: HeadLimits
    private let lines = ByteBuffer()
    /// The values of the pseudo-header fields.
    private let values = ByteBuffer()
    /// The parts of `Cookie`, which may come as several fields (RFC 9113 §8.2.3).
    private let crumbs = ByteBuffer(capacity: 256)
    private var method = 0..<0
    private var path = 0..<0
    private var authority = 0..<0
    private var upgrade = 0..<0
    private var count = 0
    /// The size of the fields beside the lines: the parts of `Cookie`, and keys that nobody needs.
    private var sizeBeside = 0
    private var fault: ParseError?
    /// The size of what came after it was known that the head is refused.
    private var excess = 0

    package init(limits: HeadLimits) { self.limits = limits }

    /// Begins another head.
    package func begin() {
        lines.removeAll()
        values.removeAll()
        crumbs.removeAll()
        (method, path, authority, upgrade) = (0..<0, 0..<0, 0..<0, 0..<0)
        (count, sizeBeside, excess) = (0, 0, 0)
        fault = nil
    }

    /// The size of a field, which even an empty one has (RFC 9113 §6.5.2).
    private static func size(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Int {
        name.count + value.count + 32
    }

    /// Whether so much has come in vain that not even a refusal is owed: a few compressed bytes may mean megabytes.
    package var isOutOfProportion: Bool { excess > 4 * limits.fields }

    /// Adds a field; once it is known that the head is refused, this does nothing.
    package func add(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        if fault != nil { return excess += Self.size(name, value) }
        do throws(ParseError) {
            if name.first == UInt8(ascii: ":") {
                try addPseudoHeader(name, value)
            } else if name.isEqual(to: "cookie") {
                try countBeside(name, value)
                if crumbs.count > 0 { crumbs.append("; ") }
                crumbs.append(value)
            } else if isUpgrade, name.isEqual(to: "sec-websocket-key") {
                // It has no use in HTTP/2 (RFC 8441 §5).
                try countBeside(name, value)
            } else if name.isEqual(to: "host"), !authority.isEmpty {
                // It must say the same (RFC 9113 §8.3.1).
                guard UnsafeBufferPointer(rebasing: values.written[authority]).elementsEqual(value) else {
                    throw .malformedHost
                }
            } else {
                try addLine(name, value)
            }
        } catch {
            fault = error
        }
    }

    private func addPseudoHeader(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) throws(ParseError) {
        guard values.count + value.count <= limits.head else { throw .fieldsTooLarge }
        guard value.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { throw .malformedRequestLine }
        let range = values.count..<(values.count + value.count)
        if name.isEqual(to: ":method") {
            method = range
        } else if name.isEqual(to: ":path") {
            path = range
            guard value.first == UInt8(ascii: "/") || value.isEqual(to: "*") else { throw .malformedTarget }
        } else if name.isEqual(to: ":authority") {
            authority = range
        } else if name.isEqual(to: ":protocol") {
            upgrade = range
        } else {
            return
        }
        values.append(value)
    }

    private func countBeside(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) throws(ParseError) {
        sizeBeside += Self.size(name, value)
        guard sizeBeside <= limits.fields else { throw .fieldsTooLarge }
    }

    private func addLine(
        _ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>
    ) throws(ParseError) {
        count += 1
        guard count <= limits.fieldCount, lines.count + name.count + value.count + 4 <= limits.fields else {
            throw .fieldsTooLarge
        }
        guard name.isToken else { throw .malformedFieldLine }
        lines.append(name)
        lines.append(": ")
        let start = lines.count
        lines.append(value)
        let end = lines.count
        lines.append("\r\n")
        guard FieldContent.end(from: start, in: lines.base, limit: lines.count) == end else {
            throw .malformedFieldLine
        }
    }

    /// Whether the stream is to change to another protocol (RFC 8441 §4): a WebSocket's handshake of HTTP/1.1 says so.
    var isUpgrade: Bool { !upgrade.isEmpty }

    /// HTTP/2 has no key: the client knows by the protocol that the server means its handshake.
    private static let upgradeLines: StaticString =
        "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

    private static func isEqual(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, _ text: StaticString) -> Bool {
        UnsafeBufferPointer(rebasing: bytes).isEqual(to: text)
    }

    /// The method, so far as it has come.
    var knownMethod: KnownMethod { KnownMethod(UnsafeBufferPointer(rebasing: values.written[method])) }

    /// The largest number of bytes that the whole head takes.
    private var capacity: Int { values.count + crumbs.count + lines.count + 128 }

    /// Whether it counts in the memory of clients. What a connection may have without that is shared by its streams.
    private func isCounted(among streams: Int) -> Bool { capacity > MemoryBudget.uncounted / streams }

    /// Whether clients may have the whole head in memory.
    /// - Parameter streams: The number of streams that are open on its connection, with its own.
    func hasRoom(in memory: MemoryBudget, among streams: Int) -> Bool {
        fault != nil || !isCounted(among: streams) || memory.hasRoom(for: capacity, of: capacity)
    }

    /// The whole head, and the bytes that it is in: a few compressed ones may stand for tens of thousands.
    func finish(_ memory: MemoryBudget, among streams: Int) throws(ParseError) -> (RequestHead, MessageBytes) {
        if crumbs.count > 0, fault == nil {
            let name: StaticString = "cookie"
            let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            do throws(ParseError) { try addLine(bytes, crumbs.written) } catch { fault = error }
            crumbs.removeAll()
        }
        if let fault { throw fault }
        let lease = isCounted(among: streams) ? MemoryLease(capacity, of: memory) : nil
        let bytes = MessageBytes(capacity: capacity, lease: lease)
        if isUpgrade {
            guard Self.isEqual(values.written[method], "CONNECT"), Self.isEqual(values.written[upgrade], "websocket")
            else { throw .malformedRequestLine }
            bytes.append("GET ")
        } else {
            bytes.append(values.written[method])
            bytes.append(" ")
        }
        bytes.append(values.written[path])
        bytes.append(" HTTP/1.1\r\n")
        if !authority.isEmpty {
            bytes.append("host: ")
            bytes.append(values.written[authority])
            bytes.append("\r\n")
        }
        bytes.append(lines.written[...])
        if isUpgrade { bytes.append(Self.upgradeLines) }
        bytes.append("\r\n")
        var parser = RequestParser(limits: limits)
        var end = 0
        guard let head = try parser.next(in: bytes, at: &end), end == bytes.count, head.framing != .chunked else {
            throw .malformedRequestLine
        }
        return (head, bytes)
    }
}
