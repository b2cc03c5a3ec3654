/// Reads no more of a form with files than its first field, if it has a certain name.
struct MultipartOpening {
    /// The result from the bytes so far.
    enum Finding: Equatable {
        /// More bytes are needed.
        case nothing
        /// The first field has another name, or is too long, or the form is malformed.
        case other
        /// The first field has the name, and this text.
        case text(String)
    }

    private var parser: MultipartParser
    private let name: String
    private var content: [UInt8] = []

    /// The most bytes that are looked at.
    static let maximumSize = 16 * 1024
    /// The most bytes of the text.
    private static let maximumTextSize = 64

    init(_ parser: MultipartParser, name: String) {
        self.parser = parser
        self.name = name
    }

    /// Takes the next bytes of the form.
    mutating func receive(_ bytes: [UInt8]) -> Finding {
        do {
            try parser.receive(bytes)
            while let event = try parser.next() {
                switch event {
                case .part(let head):
                    guard ExactText(head.name) == ExactText(name), head.fileName == nil else { return .other }
                case .content(let piece):
                    content += piece
                    guard content.count <= Self.maximumTextSize else { return .other }
                case .endOfPart: return .text(String(decoding: content, as: UTF8.self))
                case .end: return .other
                }
            }
            return .nothing
        } catch {
            return .other
        }
    }
}
