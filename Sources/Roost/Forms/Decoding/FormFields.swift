/// A form's values and files by name. Most forms have a few fields, which are looked through without building anything;
/// of one with many, each is found in one step.
final class FormFields {
    private let form: Form
    private let files: [(name: String, file: UploadedFile)]
    /// The indices of each name's values, and of its files; nil for a list of few, which is searched instead.
    private let places, filePlaces: [ExactText: [Int]]?

    /// The most entries that are searched one by one.
    private static let few = 16

    init(_ form: Form, files: [(name: String, file: UploadedFile)] = []) {
        self.form = form
        self.files = files
        places = Self.places(form.fields, \.name)
        filePlaces = Self.places(files, \.name)
    }

    private static func places<Element>(_ list: [Element], _ name: (Element) -> String) -> [ExactText: [Int]]? {
        list.count > few ? Dictionary(grouping: list.indices) { ExactText(name(list[$0])) } : nil
    }

    /// The names in the order in which they first came, those of files last.
    var names: [String] {
        var seen: Set<ExactText> = []
        return (form.fields.map(\.name) + files.map(\.name)).filter { seen.insert(ExactText($0)).inserted }
    }

    /// The fault of a name or value that would take long to compare; nil if there is none.
    var slowText: FieldFault? {
        files.contains { CombiningMarks.areTooMany(in: $0.name) } ? .slowName : form.slowText
    }

    /// The value of a name with a number, counted from 0.
    func value(_ name: String, _ number: Int = 0) -> String? {
        Self.place(form.fields, \.name, places, ExactText(name), number).map { form.fields[$0].value }
    }

    /// The file of a name with a number, counted from 0.
    func file(_ name: String, _ number: Int = 0) -> UploadedFile? {
        Self.place(files, \.name, filePlaces, ExactText(name), number).map { files[$0].file }
    }

    /// Whether a file has come where a value of a name with a number would be.
    func hasOnlyFile(_ name: String, _ number: Int) -> Bool { value(name, number) == nil && file(name, number) != nil }

    /// Returns the number of a name's values or of its files, whichever is greater.
    func count(_ name: String) -> Int {
        let name = ExactText(name)
        return max(Self.count(form.fields, \.name, places, name), Self.count(files, \.name, filePlaces, name))
    }

    /// Whether a name has neither a value with a text nor a file.
    func areEmpty(_ name: String) -> Bool {
        (0..<count(name)).allSatisfy { (value(name, $0) ?? "").isEmpty && file(name, $0) == nil }
    }

    func contains(_ name: String) -> Bool { value(name) != nil || file(name) != nil }

    @inline(__always)
    private static func place<Element>(
        _ list: [Element], _ name: (Element) -> String, _ places: [ExactText: [Int]]?, _ wanted: ExactText,
        _ number: Int
    ) -> Int? {
        if let places { return places[wanted].flatMap { number < $0.count ? $0[number] : nil } }
        var left = number
        for index in list.indices where ExactText(name(list[index])) == wanted {
            if left == 0 { return index }
            left -= 1
        }
        return nil
    }

    private static func count<Element>(
        _ list: [Element], _ name: (Element) -> String, _ places: [ExactText: [Int]]?, _ wanted: ExactText
    ) -> Int {
        if let places { return places[wanted]?.count ?? 0 }
        return list.count { ExactText(name($0)) == wanted }
    }
}

extension Form {
    /// The fault of a name or value that would take long to compare; nil if there is none. Names become the keys of
    /// dictionaries, and handlers compare values.
    var slowText: FieldFault? {
        for field in fields { if let fault = field.slowText { return fault } }
        return nil
    }

    /// The form without the fields that would take long to compare.
    var withoutSlowTexts: Form { Form(fields.filter { $0.slowText == nil }.map { ($0.name, $0.value) }) }
}

extension Form.Field {
    fileprivate var slowText: FieldFault? {
        if CombiningMarks.areTooMany(in: name) { return .slowName }
        return CombiningMarks.areTooMany(inValue: value) ? FieldFault(field: name, message: .tooManyMarks) : nil
    }
}

extension FieldFault {
    /// The fault of a name that would take long to compare. It is not told which.
    fileprivate static var slowName: FieldFault {
        FieldFault(field: nil, message: Sentence("A name has too many combining marks in a row."))
    }
}
