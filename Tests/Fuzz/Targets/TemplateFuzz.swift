@testable import Roost

private let page: Sample = [
    "a": [1, 2, "x"], "b": ["b": "<&>", "e": [["a": 1], ["a": nil]]], "c": nil, "d": "p", "e": true, "f": 2.5,
]

/// Templates of any text render or are refused, within low limits, and the two ways to write a page give the same
/// result.
///
/// A NUL separates the files `main`, `p` and `q`, which may use each other.
func fuzzTemplate(_ bytes: [UInt8]) throws {
    let texts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    let sources = Dictionary(
        uniqueKeysWithValues: zip(["main", "p", "q"], texts.map { String(decoding: $0, as: UTF8.self) })
    )
    var limits = TemplateLimits()
    (limits.steps, limits.output, limits.partials, limits.nesting) = (2000, 5000, 8, 20)
    for missingNames in [MissingNames.empty, .error] {
        let parsed = try unlessRefused { try Templates(sources: sources, missingNames: missingNames, limits: limits) }
        guard let templates = parsed else { continue }
        for name in templates.names {
            let encoded = try unlessRefused { try templates.render(name, page) }
            let written = try unlessRefused { try templates.render(name, SampleData(sample: page)) }
            try same(encoded, written, "a page that is encoded, and one that writes itself")
            try hold((encoded ?? []).count <= limits.output, "the output is bounded")
            let checked: Void? = try unlessRefused { try templates.check(name, page) }
            try hold(checked == nil || encoded != nil, "what is checked renders")
        }
    }
}

/// Nil when the work is refused with an error for the author of the template; it must be possible to show that error.
private func unlessRefused<Value>(_ work: () throws -> Value) throws -> Value? {
    do {
        return try work()
    } catch let error as TemplateErrors {
        try hold(!error.errors.isEmpty && !error.description.isEmpty, "a refusal says why")
    } catch let error as TemplateError {
        try hold(!error.description.isEmpty, "a refusal says why")
    }
    return nil
}
