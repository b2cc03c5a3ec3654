/// A keyed container that is made of a place alone.
protocol JSONPlacedContainer: KeyedEncodingContainerProtocol {
    init(writer: JSONWriter)
}

/// Makes containers of one type.
private final class JSONObjectMaker<Container: JSONPlacedContainer>: ContainerMaker {
    @inline(never)
    func container(_ writer: JSONWriter) -> KeyedEncodingContainer<Container.Key> {
        KeyedEncodingContainer(Container(writer: writer))
    }
}

extension ContainerMakers {
    /// The container of an object in JSON.
    @inline(__always)
    func container<Key: CodingKey>(keyedBy type: Key.Type, _ writer: JSONWriter) -> KeyedEncodingContainer<Key> {
        maker(for: type) { JSONObjectMaker<JSONObjectContainer<Key>>() }._withUnsafeGuaranteedRef { maker in
            // The type of key says what the maker is.
            unsafeDowncast(maker, to: JSONObjectMaker<JSONObjectContainer<Key>>.self).container(writer)
        }
    }
}
