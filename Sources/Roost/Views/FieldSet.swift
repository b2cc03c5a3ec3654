/// The fields of a form as a page shows them: empty, with what is stored, or with what was typed and its errors.
///
///     static let fields = FieldSet(
///         .text("name", "Name", length: 40).required, .text("wingspan", "Wingspan", type: "number"))
///
///     View("owls/form", OwlPage(fields: Self.fields))                       // a new one
///     View("owls/form", OwlPage(fields: Self.fields.filled(with: owl)))     // a stored one
///     View("owls/form", OwlPage(fields: Self.fields.typed(form)))           // a refused one, of `handleForm`
///
/// A template shows a field by its name in one line, `{{#fields.name}}{{> field}}{{/fields.name}}`, and the partial
/// `field` has the HTML of all of them (`docs/forms.md`).
public struct FieldSet: Sendable, Equatable, Encodable {
    /// The fields, in their order.
    public private(set) var fields: [FormField]
    /// The message about the form as a whole, and about fields that are not among these; nil if there is none.
    public var error: String?

    /// Creates the fields of an empty form.
    public init(_ fields: FormField...) { self.init(fields) }

    /// Creates the fields of an empty form from a list that is known only at run time, such as one field for each
    /// question of a survey.
    public init(_ fields: [FormField]) { self.fields = fields }

    /// Whether a field has an error.
    package var hasErrors: Bool { fields.contains { $0.error != nil } }

    /// The texts of the fields that visitors read: labels, hints and choices. A table of another language should
    /// translate them.
    public var texts: [String] {
        fields.flatMap { field in [field.label, field.hint] + field.choices.map(\.label) }.filter { !$0.isEmpty }
    }

    /// The field of a name; nil if there is none.
    public subscript(name: String) -> FormField? { fields.first { ExactText($0.name) == ExactText(name) } }

    /// Returns the fields, each filled with the member of its name in a value, such as a row or an input. A value
    /// without members, such as nil, fills none.
    /// - Throws: `EncodingError` for a value that cannot write itself.
    public func filled(with value: some Encodable) throws -> FieldSet {
        let tape = ValueTape()
        try tape.writeWhole(value, to: ValueTape.root)
        guard tape.cells[Int(ValueTape.root)].kind == .object else { return self }
        var set = self
        for cell in tape.members(of: ValueTape.root).map({ tape.cells[Int($0)] }) {
            let name = ExactText(tape.names.name(cell.name))
            if let index = fields.firstIndex(where: { ExactText($0.name) == name }),
                let text = tape.plainText(of: cell)
            {
                set.fields[index] = set.fields[index].showing(text)
            }
        }
        return set
    }

    /// Returns the fields with a text in one of them, such as the value with which a new form begins.
    public func filled(_ name: String, with text: String) -> FieldSet {
        var set = self
        for index in fields.indices where ExactText(fields[index].name) == ExactText(name) {
            set.fields[index] = set.fields[index].showing(text)
        }
        return set
    }

    /// Returns the fields of a refused form, with what was typed in each, what is wrong with it, and the form's own
    /// message. A field that was not sent, such as one of another form on the page, keeps its text; a box that was not
    /// sent is not ticked. Several fields with one name get the texts that were sent, in order.
    public func typed(_ form: InvalidForm) -> FieldSet {
        var set = self
        for index in fields.indices {
            let name = ExactText(fields[index].name)
            // Boxes that are not ticked send nothing, so there is no telling which has sent a text.
            let number = fields[index].isBox ? 0 : fields[..<index].count { ExactText($0.name) == name }
            let typed = form.typed[values: fields[index].name].dropFirst(number).first
            if let text = typed ?? (fields[index].isBox ? "" : nil) {
                set.fields[index] = set.fields[index].showing(text, isTyped: true)
            }
            set.fields[index].error = form.message(for: fields[index].name)
        }
        if let first = set.fields.firstIndex(where: { $0.error != nil }) { set.fields[first].isFirstError = true }
        set.error = form.message(besides: self)
        return set
    }

    /// Writes each field under its name, all of them as `all`, the form's message as `error`, and whether anything is
    /// wrong as `failed`. A field with one of these three names takes its place.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: PathKey.self)
        if self["all"] == nil { try members.encode(fields, forKey: PathKey(stringValue: "all")) }
        if self["error"] == nil { try members.encode(error, orFalseFor: PathKey(stringValue: "error")) }
        if self["failed"] == nil {
            try members.encode(error != nil || hasErrors, forKey: PathKey(stringValue: "failed"))
        }
        for field in fields { try members.encode(field, forKey: PathKey(stringValue: field.name)) }
    }
}
