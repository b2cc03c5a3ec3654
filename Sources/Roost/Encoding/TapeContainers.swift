/// The keyed containers of a tape, for each type of key, used for one object after the other.
///
/// The standard library's `KeyedEncodingContainer` allocates memory, and is a generic type that the runtime looks up
/// each time: that costs more than a small object. A container is used from when an `encode(to:)` asks for it until
/// that returns. Then the next object gets it.
struct TapeContainers: ~Copyable {
    private var kept = TypeTable<KeptTapeObjects>()
    /// The owners of the containers in use, in the order in which the containers were asked for.
    private var users: [Unmanaged<KeptTapeObjects>] = []

    /// The number of containers in use.
    var used: Int { users.count }

    /// A container for the object in a cell, for one user only.
    @inline(__always)
    mutating func container<Key: CodingKey>(
        keyedBy type: Key.Type, _ tape: ValueTape, _ cell: UInt32
    ) -> KeyedEncodingContainer<Key> {
        let objects = kept.value(of: type) { KeptTapeObjectsOf<Key>() }.pointee
        users.append(Unmanaged.passUnretained(objects))
        // The type of key determines the type of what is kept.
        return unsafeDowncast(objects, to: GivenTapeObjects<KeyedEncodingContainer<Key>>.self).take(tape, cell)
    }

    /// Ends the use of all containers but the first ones.
    @inline(__always)
    mutating func giveBack(to count: Int) {
        while users.count > count { users.removeLast()._withUnsafeGuaranteedRef { $0.giveBack() } }
    }
}

/// Containers for one type of key: the first ones are in use.
class KeptTapeObjects {
    @exclusivity(unchecked) fileprivate final var objects: [PlacedTapeObject] = []
    @exclusivity(unchecked) fileprivate final var used = 0

    fileprivate init() {}

    @inline(__always)
    fileprivate final func giveBack() {
        used &-= 1
        objects[used].cell = 0
    }
}

/// The same with the structs that an `Encodable` gets.
///
/// The type of the struct is a parameter of this class, so that an instance carries what the runtime would look up.
class GivenTapeObjects<Given>: KeptTapeObjects {
    @exclusivity(unchecked) fileprivate final var given: [Given] = []

    @inline(never)
    fileprivate final func take(_ tape: ValueTape, _ cell: UInt32) -> Given {
        let index = used
        if index == given.count { make(tape) }
        used &+= 1
        objects[index].cell = cell
        return given[index]
    }

    fileprivate func make(_ tape: ValueTape) {}
}

private final class KeptTapeObjectsOf<Key: CodingKey>: GivenTapeObjects<KeyedEncodingContainer<Key>> {
    override func make(_ tape: ValueTape) {
        let object = TapeObject<Key>(tape)
        objects.append(object)
        given.append(KeyedEncodingContainer(object))
    }
}
