/// Makes keyed containers for one type of key.
///
/// A generic container needs its type's metadata and its conformance, which the runtime looks up each time when the key
/// type is only known at run time: a sixth of what a small object costs. An instance of this class carries both.
class JSONContainerMaker {
    fileprivate init() {}

    /// Makes the makers of key types that a document has seen.
    ///
    /// Sixteen slots, found by the type's address; a type that shares one with another takes it over.
    struct Cache: ~Copyable {
        private typealias Slot = (type: ObjectIdentifier?, maker: Unmanaged<JSONContainerMaker>?)

        private let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 16)

        init() { slots.initialize(repeating: (nil, nil), count: 16) }

        deinit {
            for index in 0..<16 { slots[index].maker?.release() }
            slots.deallocate()
        }

        /// The container of an object with keys of a type.
        @inline(__always)
        func container<Key: CodingKey>(keyedBy type: Key.Type, _ writer: JSONWriter) -> KeyedEncodingContainer<Key> {
            let identifier = ObjectIdentifier(type)
            let slot = slots + (Int(bitPattern: identifier) &>> 5 & 15)
            guard slot.pointee.type == identifier, let maker = slot.pointee.maker else {
                return add(type, to: slot).container(writer)
            }
            // The slot's type says what the maker is.
            return maker._withUnsafeGuaranteedRef { maker in
                unsafeDowncast(maker, to: JSONObjectMaker<JSONObjectContainer<Key>>.self).container(writer)
            }
        }

        @inline(never)
        private func add<Key: CodingKey>(
            _ type: Key.Type, to slot: UnsafeMutablePointer<Slot>
        ) -> JSONObjectMaker<JSONObjectContainer<Key>> {
            let maker = JSONObjectMaker<JSONObjectContainer<Key>>()
            slot.pointee.maker?.release()
            slot.pointee = (ObjectIdentifier(type), .passRetained(maker))
            return maker
        }
    }
}

/// A keyed container that is made of a place alone.
protocol JSONPlacedContainer: KeyedEncodingContainerProtocol {
    init(writer: JSONWriter)
}

/// Makes containers of one type.
private final class JSONObjectMaker<Container: JSONPlacedContainer>: JSONContainerMaker {
    @inline(never)
    func container(_ writer: JSONWriter) -> KeyedEncodingContainer<Container.Key> {
        KeyedEncodingContainer(Container(writer: writer))
    }
}
