/// A function that a template calls with the content of a section.
///
/// What it returns is written as it is for `{{#name}}…{{/name}}`, and escaped for `{{name}}`; it is not read as a
/// template again, so data that a lambda passes on cannot smuggle in tags.
///
/// ```swift
/// TemplateLambda { section in "<b>" + (try section.render()) + "</b>" }
/// ```
public struct TemplateLambda {
    let body: (TemplateSection) throws -> String

    /// Makes a lambda of a function.
    public init(_ body: @escaping (TemplateSection) throws -> String) {
        self.body = body
    }
}

/// What a template hands to a lambda: the content of the section, and a way to render it.
public struct TemplateSection {
    /// The content as it is written in the template, with its tags; empty for a lambda that is called by a plain tag.
    public let text: String
    let renderer: TemplateRenderer
    let delimiters: TemplateDelimiters

    /// Renders the content where it stands in the template.
    public func render() throws -> String { try render(text) }

    /// Renders other template text where the section stands, with its delimiters and everything that is in scope.
    public func render(_ text: String) throws -> String { try renderer.render(text, delimiters: delimiters) }
}
