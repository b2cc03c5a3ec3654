/// The target of a keyed container: a position in its encoder's output.
///
/// The subclass that knows the type of key does the writing.
class PlacedContainer<Output: AnyObject, Position> {
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
/// That relies on how the struct is built, which the standard library may change. So ``KeyedContainerLayout`` checks it
/// once, and if the struct is not what it was, each object gets a container of its own.
struct KeyedContainers<Output: AnyObject, Position>: ~Copyable {
    private var kept = TypeTable<KeptContainer<Output, Position>>()
    private let reuses: Bool

    /// - Parameter reuses: Whether containers are used again.
    init(reuses: Bool = KeyedContainerLayout.isKnown) { self.reuses = reuses }

    /// Releases all containers, which keep the output alive.
    mutating func forget() { kept.removeAll() }

    /// A container at a position, for one user only.
    /// - Parameter make: Makes a container to keep when there is none for this type of key. Always the same for one
    ///   type.
    @inline(__always)
    mutating func container<Key: CodingKey>(
        keyedBy type: Key.Type, at position: Position, _ make: () -> KeptContainer<Output, Position>
    ) -> KeyedEncodingContainer<Key> {
        // The type of key determines the type of what is kept.
        guard reuses else { return Self.given(make(), keyedBy: type).plain() }
        let kept = kept.value(of: type, make)
        kept.pointee.move(to: position)
        return Self.given(kept.pointee, keyedBy: type).shared()
    }

    @inline(__always)
    private static func given<Key: CodingKey>(
        _ kept: KeptContainer<Output, Position>, keyedBy type: Key.Type
    ) -> GivenContainer<Output, Position, KeyedEncodingContainer<Key>> {
        unsafeDowncast(kept, to: GivenContainer<Output, Position, KeyedEncodingContainer<Key>>.self)
    }
}

/// A container in two forms: the encoder's own, and the one that an `Encodable` gets, a struct with just a reference.
class KeptContainer<Output: AnyObject, Position> {
    @exclusivity(unchecked) fileprivate final var container: PlacedContainer<Output, Position>
    @exclusivity(unchecked) fileprivate final var reference: AnyObject?

    fileprivate init(_ container: PlacedContainer<Output, Position>) { self.container = container }

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
class GivenContainer<Output: AnyObject, Position, Given>: KeptContainer<Output, Position> {
    /// The struct, made by the standard library.
    fileprivate func plain() -> Given { shared() }

    /// The struct, made of the reference.
    @inline(never)
    fileprivate final func shared() -> Given { unsafeBitCast(reference, to: Given.self) }
}

/// A container of one type.
final class KeptContainerOf<
    Output, Position, Container: PlacedContainer<Output, Position> & KeyedEncodingContainerProtocol
>: GivenContainer<Output, Position, KeyedEncodingContainer<Container.Key>> {
    private var own: Container

    init(_ container: Container) {
        own = container
        super.init(container)
    }

    override fileprivate func renew(at position: Position) {
        if reference != nil {
            own = Container(own.output, at: position)
            container = own
        } else {
            own.position = position
        }
        reference = KeyedContainerLayout.reference(to: own)
    }

    override fileprivate func plain() -> KeyedEncodingContainer<Container.Key> { KeyedEncodingContainer(own) }
}
