/// A value of a template that is written by the rules of the rendering's language: `{{date made long}}`.
struct TemplateFormat: Sendable {
    let form: ValueFormat
    /// The path of the value.
    let path: UInt32
}
