/// What is wrong with the fields of one form, gathered while it is decoded, so that all of it can be said at once.
final class FormFaults {
    private(set) var all: [FieldFault] = []

    /// Notes what is wrong with a field; with the whole form, if it has no name.
    func note(_ field: String?, _ message: Sentence) { all.append(FieldFault(field: field, message: message)) }

    /// Ends decoding where no value can be made up to go on with.
    struct Noted: Error {}
}
