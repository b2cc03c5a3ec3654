/// The limits of a rendering, and its errors.
extension TemplateRenderer {
    func checkSize() throws {
        if output.count > limits.output { throw tooLarge() }
    }

    func tooLarge() -> TemplateError {
        error("the page has more than \(limits.output) bytes: show less, page by page")
    }

    func tooLong() -> TemplateError {
        error("the page takes more than \(limits.steps) steps: loop over less, page by page")
    }

    /// The tags that led to the present instruction, the innermost first.
    var trail: [TemplateLocation] {
        [program.location(of: position)] + calls.callers.map { program.location(of: $0) } + (outer?.trail ?? [])
    }

    /// An error at the tag that is being rendered.
    func error(_ message: String) -> TemplateError {
        TemplateError(message, at: trail[0], includedFrom: Array(trail.dropFirst()))
    }
}
