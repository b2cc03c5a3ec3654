/// A function that a template calls with the content of a section.
///
/// The text that it returns is written unchanged for `{{#name}}…{{/name}}`, and escaped for `{{name}}`. It is not
/// parsed as a template, unlike in the Mustache specification, so tags in data that a lambda passes on stay text.
///
/// ```swift
/// TemplateLambda { section in "<b>" + (try section.render()) + "</b>" }
/// ```
public struct TemplateLambda: Encodable, TapeFunction {
    let body: (TemplateSection) throws -> String

    /// Makes a lambda of a function.
    public init(_ body: @escaping (TemplateSection) throws -> String) {
        self.body = body
    }

    /// Throws: only a template can use a function. ``Templates`` does not call this.
    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self, .init(codingPath: encoder.codingPath, debugDescription: "A TemplateLambda is for templates only."))
    }
}

/// The argument of a lambda: the content of the section, and a way to render it before the lambda returns.
public struct TemplateSection {
    /// The content as it is written in the template, tags included; empty if the lambda is called by `{{name}}`.
    public let text: String
    let renderer: TemplateRenderer
    let delimiters: TemplateDelimiters

    /// Renders the content, with the names that are in scope where the section stands.
    /// - Throws: A ``TemplateError``: a tag fails, a limit is reached, or the rendering of the page is over.
    public func render() throws -> String { try render(text) }

    /// Renders other template text as if it stood in the section, with its delimiters and the names in scope.
    /// - Throws: As ``render()`` does, and for a mistake in the text.
    public func render(_ text: String) throws -> String { try renderer.render(text, delimiters: delimiters) }
}
