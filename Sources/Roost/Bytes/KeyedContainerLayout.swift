/// The layout of the standard library's `KeyedEncodingContainer`: one reference to an object that holds the container.
enum KeyedContainerLayout {
    private typealias Given = KeyedEncodingContainer<KeyedContainerProbe.Key>

    /// Whether the struct still has this layout. It is tried once in a process, with a container that notes its use.
    /// A debug build gives false, because it keeps references longer.
    static let isKnown: Bool = {
        guard MemoryLayout<Given>.size == MemoryLayout<AnyObject>.size else { return false }
        let probe = KeyedContainerProbe()
        // Read as a number first: something that is not a reference must not be counted as one.
        let word = withUnsafeBytes(of: Given(probe)) { $0.load(as: UInt.self) }
        guard word != 0, word.isMultiple(of: UInt(MemoryLayout<UInt>.alignment)) else { return false }
        var held = reference(to: probe)
        guard isKnownUniquelyReferenced(&held) else { return false }
        let given = unsafeBitCast(held, to: Given.self)
        return !isKnownUniquelyReferenced(&held) && given.codingPath.isEmpty && probe.isUsed
    }()

    /// The one reference in the struct around a container.
    static func reference<Container: KeyedEncodingContainerProtocol>(to container: Container) -> AnyObject {
        let given = KeyedEncodingContainer(container)
        return withUnsafeBytes(of: given) { $0.load(as: AnyObject.self) }
    }
}
