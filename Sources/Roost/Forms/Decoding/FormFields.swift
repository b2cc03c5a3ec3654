/// A form's values and files by name, each found in one step, however many there are.
struct FormFields {
    /// The names in the order in which they first came.
    private(set) var names: [String] = []
    private var values: [ExactText: [String]] = [:]
    private var files: [ExactText: [UploadedFile]] = [:]

    init(_ form: Form, files: [(name: String, file: UploadedFile)] = []) {
        for field in form.fields {
            let name = ExactText(field.name)
            if values[name] == nil { names.append(field.name) }
            values[name, default: []].append(field.value)
        }
        for (name, file) in files {
            if values[ExactText(name)] == nil, self.files[ExactText(name)] == nil { names.append(name) }
            self.files[ExactText(name), default: []].append(file)
        }
    }

    subscript(name: String) -> [String] { values[ExactText(name)] ?? [] }

    func files(_ name: String) -> [UploadedFile] { files.isEmpty ? [] : files[ExactText(name)] ?? [] }

    func contains(_ name: String) -> Bool {
        values[ExactText(name)] != nil || !files.isEmpty && files[ExactText(name)] != nil
    }
}
