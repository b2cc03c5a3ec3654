/// Bytes of a body that came over time, with the right to hold them in memory.
final class CollectedBytes: Sendable {
    let bytes: [UInt8]
    private let lease: MemoryLease

    init(_ bytes: [UInt8], _ lease: MemoryLease) {
        self.bytes = bytes
        self.lease = lease
    }
}
