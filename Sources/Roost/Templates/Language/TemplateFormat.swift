/// A value of a template that is written by the rules of the rendering's language: `{{date made long}}`.
struct TemplateFormat: Sendable {
    let form: ValueFormat
    /// The path of the value.
    let path: UInt32

    /// The format and the path that a tag has.
    struct Content: Equatable {
        let form: ValueFormat
        let path: String

        /// - Parameter words: The name of the format, the path, and a style or nothing.
        /// - Returns: nil without a path, or with a style that there is not.
        init?(_ words: [String]) {
            guard (2...3).contains(words.count), let form = ValueFormat(words[0], words.count == 3 ? words[2] : nil)
            else { return nil }
            (self.form, path) = (form, words[1])
        }
    }
}
