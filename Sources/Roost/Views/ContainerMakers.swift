/// Makes an encoder's keyed containers for one type of key.
///
/// A generic container needs its type's metadata and its conformance, which the runtime looks up each time when the key
/// type is only known at run time: a sixth of what a small object costs. An instance of a subclass carries both.
class ContainerMaker {}

/// The makers for key types that an encoder has seen.
///
/// Sixteen slots, found by the type's address; a type that shares one with another takes it over.
struct ContainerMakers: ~Copyable {
    private typealias Slot = (type: ObjectIdentifier?, maker: Unmanaged<ContainerMaker>?)

    private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 16)

    init() { slots.initialize(repeating: (nil, nil), count: 16) }

    deinit {
        for index in 0..<16 { slots[index].maker?.release() }
        slots.deallocate()
    }

    /// The maker for a type of key: always of the class that `make` makes for it.
    @inline(__always)
    func maker<Key: CodingKey>(for type: Key.Type, _ make: () -> ContainerMaker) -> Unmanaged<ContainerMaker> {
        let identifier = ObjectIdentifier(type)
        let slot = slots + (Int(bitPattern: identifier) &>> 5 & 15)
        if slot.pointee.type == identifier, let maker = slot.pointee.maker { return maker }
        return replace(slot, by: make(), for: identifier)
    }

    @inline(never)
    private func replace(
        _ slot: UnsafeMutablePointer<Slot>, by maker: ContainerMaker, for type: ObjectIdentifier
    ) -> Unmanaged<ContainerMaker> {
        let maker = Unmanaged.passRetained(maker)
        slot.pointee.maker?.release()
        slot.pointee = (type, maker)
        return maker
    }
}
