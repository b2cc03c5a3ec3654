import HTTPTypes

/// One thing that is wrong with a field of an input.
struct FieldFault {
    /// The field's name; nil when it is about the whole input.
    let field: String?
    let message: Sentence
    /// The JSON pointer to the part of the input that has the field; empty for the input itself.
    var parent = ""
}

extension HTTPError {
    /// An error about fields, in the words of a table. A name of more than 1,000 bytes, which only a client can have
    /// made up, is left out.
    init(_ status: HTTPResponse.Status, _ faults: [FieldFault], _ table: MessageTable) {
        let parts = faults.map { fault in
            let isShown = fault.field.map { $0.utf8.count <= 1000 } ?? false
            let pointer = isShown ? fault.field.map { fault.parent + Part.pointer(to: $0) } ?? "" : ""
            return Part(pointer, table.text(fault.message))
        }
        let isAboutParts = parts.contains { !$0.pointer.isEmpty }
        self.init(status, isAboutParts ? nil : parts.first?.message, parts: isAboutParts ? parts : [])
    }
}
