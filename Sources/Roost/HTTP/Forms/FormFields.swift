/// A form's values by name, each found in one step, however many there are.
struct FormFields {
    /// The names in the order in which they first came.
    private(set) var names: [String] = []
    private var values: [ExactText: [String]] = [:]

    init(_ form: Form) {
        for field in form.fields {
            let name = ExactText(field.name)
            if values[name] == nil { names.append(field.name) }
            values[name, default: []].append(field.value)
        }
    }

    subscript(name: String) -> [String] { values[ExactText(name)] ?? [] }
}
