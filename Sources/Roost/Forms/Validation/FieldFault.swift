import HTTPTypes

/// One thing that is wrong with a field of an input.
struct FieldFault {
    /// The field's name; nil when it is about the whole input.
    let field: String?
    let message: Sentence
    /// The JSON pointer to the part of the input that has the field; empty for the input itself.
    var parent = ""

    /// The JSON pointer to the field; empty for the whole input. One of more than 1,000 bytes, which only a client can
    /// have made up, is empty, too.
    var pointer: String {
        guard let field, parent.utf8.count + field.utf8.count <= 1000 else { return "" }
        return parent + JSONPointer.step(to: field)
    }
}

extension FieldFault {
    /// Creates a fault of the value at a JSON pointer.
    init(pointer: String, _ message: Sentence) {
        let slash = pointer.utf8.lastIndex(of: UInt8(ascii: "/"))
        let field = slash.map { _ in HTTPError.Part(pointer, message).name }
        self.init(field: field, message: message, parent: slash.map { String(pointer[..<$0]) } ?? "")
    }
}

extension HTTPError {
    /// An error about fields, in the words of a table. A name of more than 1,000 bytes, which only a client can have
    /// made up, is left out.
    init(_ status: HTTPResponse.Status, _ faults: [FieldFault], _ table: MessageTable) {
        let parts = faults.map { Part($0.pointer, table.text($0.message)) }
        let isAboutParts = parts.contains { !$0.pointer.isEmpty }
        self.init(status, isAboutParts ? nil : parts.first?.message, parts: isAboutParts ? parts : [])
    }
}
