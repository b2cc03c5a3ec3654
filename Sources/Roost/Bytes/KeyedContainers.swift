/// The target of a keyed container: a position in its encoder's output.
///
/// The subclass that knows the type of key does the writing.
class PlacedContainer<Output, Position> {
    final let output: Output
    @exclusivity(unchecked) final var position: Position

    required init(_ output: Output, at position: Position) {
        self.output = output
        self.position = position
    }
}

/// The keyed containers of an encoder's output, one for each type of key, reused for one object after the other.
///
/// The standard library's `KeyedEncodingContainer` allocates memory, and is a generic type that the runtime looks up
/// each time: that costs more than the text of a small object. But a synthesized `encode(to:)` releases its container
/// when it returns, and then the next object can use it.
///
/// Sixteen slots, found by the key type's address; a type that shares a slot with another replaces it.
struct KeyedContainers<Output, Position>: ~Copyable {
    private typealias Slot = (type: ObjectIdentifier?, kept: Unmanaged<KeptContainer<Output, Position>>?)

    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 16)

    init() { slots.initialize(repeating: (nil, nil), count: 16) }

    deinit {
        forget()
        slots.deallocate()
    }

    /// Releases all containers.
    func forget() {
        for index in 0..<16 {
            slots[index].kept?.release()
            slots[index] = (nil, nil)
        }
    }

    /// A container at a position, for one user only.
    ///
    /// - Parameter make: Makes a container to keep when there is none for this type of key. Always the same for one
    ///   type.
    @inline(__always)
    func container<Key: CodingKey>(
        keyedBy type: Key.Type, at position: Position, _ make: () -> KeptContainer<Output, Position>
    ) -> KeyedEncodingContainer<Key> {
        let identifier = ObjectIdentifier(type)
        let slot = slots + (Int(bitPattern: identifier) &>> 5 & 15)
        let found = slot.pointee.type == identifier ? slot.pointee.kept : nil
        return (found ?? replace(slot, by: make(), for: identifier))._withUnsafeGuaranteedRef { kept in
            kept.move(to: position)
            // The type of key determines the type of what is kept.
            return unsafeDowncast(kept, to: GivenContainer<Output, Position, KeyedEncodingContainer<Key>>.self).given()
        }
    }

    @inline(never)
    private func replace(
        _ slot: UnsafeMutablePointer<Slot>, by kept: KeptContainer<Output, Position>, for type: ObjectIdentifier
    ) -> Unmanaged<KeptContainer<Output, Position>> {
        slot.pointee.kept?.release()
        let kept = Unmanaged.passRetained(kept)
        slot.pointee = (type, kept)
        return kept
    }
}

/// A container in two forms: the encoder's own, and the one that an `Encodable` gets, a struct with just a reference.
class KeptContainer<Output, Position> {
    @exclusivity(unchecked) fileprivate final var container: PlacedContainer<Output, Position>
    @exclusivity(unchecked) fileprivate final var reference: AnyObject

    fileprivate init(_ container: PlacedContainer<Output, Position>, _ reference: AnyObject) {
        self.container = container
        self.reference = reference
    }

    /// Lets it write to another position; if an `Encodable` still holds it, another container does so.
    ///
    /// In nested objects of one type, each level has its own. The innermost one is kept, because it is repeated most.
    @inline(__always)
    fileprivate final func move(to position: Position) {
        if isKnownUniquelyReferenced(&reference) { container.position = position } else { renew(at: position) }
    }

    fileprivate func renew(at position: Position) {}
}

/// A container for one type of key.
///
/// The type of the struct is a parameter of this class, so that an instance carries what the runtime would look up.
class GivenContainer<Output, Position, Given>: KeptContainer<Output, Position> {
    @inline(never)
    fileprivate final func given() -> Given { unsafeBitCast(reference, to: Given.self) }
}

/// A container of one type.
final class KeptContainerOf<
    Output, Position, Container: PlacedContainer<Output, Position> & KeyedEncodingContainerProtocol
>: GivenContainer<Output, Position, KeyedEncodingContainer<Container.Key>> {
    init(_ container: Container) { super.init(container, Self.reference(to: container)) }

    override fileprivate func renew(at position: Position) {
        let container = Container(container.output, at: position)
        self.container = container
        reference = Self.reference(to: container)
    }

    private static func reference(to container: Container) -> AnyObject {
        unsafeBitCast(KeyedEncodingContainer(container), to: AnyObject.self)
    }
}
