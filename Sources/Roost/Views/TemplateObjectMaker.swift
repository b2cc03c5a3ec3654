/// A keyed container that is made of a cell of a tape.
protocol TemplatePlacedContainer: KeyedEncodingContainerProtocol {
    init(tape: TemplateTape, cell: UInt32)
}

/// Makes containers of one type.
private final class TemplateObjectMaker<Container: TemplatePlacedContainer>: ContainerMaker {
    @inline(never)
    func container(_ tape: TemplateTape, _ cell: UInt32) -> KeyedEncodingContainer<Container.Key> {
        KeyedEncodingContainer(Container(tape: tape, cell: cell))
    }
}

extension ContainerMakers {
    /// The container of an object on a tape.
    @inline(__always)
    func container<Key: CodingKey>(
        keyedBy type: Key.Type, _ tape: TemplateTape, _ cell: UInt32
    ) -> KeyedEncodingContainer<Key> {
        maker(for: type) { TemplateObjectMaker<TemplateKeyedContainer<Key>>() }._withUnsafeGuaranteedRef { maker in
            // The type of key says what the maker is.
            unsafeDowncast(maker, to: TemplateObjectMaker<TemplateKeyedContainer<Key>>.self).container(tape, cell)
        }
    }
}
