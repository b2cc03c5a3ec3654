/// The faults of one form's fields, gathered while it is decoded, so that all of them can be reported at once.
final class FormFaults {
    /// The language in which the form was filled in.
    let messages: MessageTable
    /// Whether the form is the parameters of a query.
    let isQuery: Bool
    private(set) var all: [FieldFault] = []
    /// The fields that no container of the input type has; nil until there is one.
    private var unknown: [ExactText]?

    init(in messages: MessageTable, isQuery: Bool) {
        self.messages = messages
        self.isQuery = isQuery
    }

    /// Notes what is wrong with a field; with the whole form, if it has no name.
    func note(_ field: String?, _ message: Sentence) { all.append(FieldFault(field: field, message: message)) }

    /// Notes which fields a type of keys does not have.
    func note<Key: CodingKey>(unknownTo type: Key.Type, among names: [String]) {
        let names = names.filter { Key(stringValue: $0) == nil }.map(ExactText.init)
        guard let unknown else { return self.unknown = names }
        let both = Set(names)
        self.unknown = unknown.filter(both.contains)
    }

    /// The most unknown fields that are told.
    private static let maximumUnknown = 20

    /// Notes that no container has these fields.
    func refuseUnknown() {
        for name in (unknown ?? []).prefix(Self.maximumUnknown) { note(name.text, .unknown) }
    }

    /// Ends decoding where no value can be made up to go on with.
    struct Noted: Error {}
}
