/// `Templates/patterns/source.mustache`: a file with its code.
struct SourceSection: Encodable, Sendable {
    let name: String
    let part: String
    let path: String
    let lines: Int
    let code: String

    init(_ source: Source) {
        name = source.file.name
        part = source.part.rawValue
        path = source.file.path
        lines = source.file.lineCount
        code = source.file.text
    }
}
