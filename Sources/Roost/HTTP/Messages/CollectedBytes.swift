/// Bytes of a body that arrived over time, with their share of the memory budget.
final class CollectedBytes: Sendable {
    let bytes: [UInt8]
    private let lease: MemoryLease

    init(_ bytes: [UInt8], _ lease: MemoryLease) {
        self.bytes = bytes
        self.lease = lease
    }
}
