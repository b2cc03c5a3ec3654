@testable import Roost

/// The content of a multipart body, as it was read.
struct ReadForm: Equatable {
    struct Part: Equatable {
        var name: String
        var fileName: String?
        var contentType: String?
        var content: [UInt8]

        init(_ name: String, _ content: String, fileName: String? = nil, contentType: String? = nil) {
            self.init(name, bytes: Array(content.utf8), fileName: fileName, contentType: contentType)
        }

        init(_ name: String, bytes: [UInt8], fileName: String? = nil, contentType: String? = nil) {
            self.name = name
            self.fileName = fileName
            self.contentType = contentType
            content = bytes
        }

        init(_ head: MultipartHead) {
            let type = head.contentType.map { "\($0.type)/\($0.subtype)" }
            self.init(head.name, bytes: [], fileName: head.fileName, contentType: type)
        }
    }

    var parts: [Part] = []

    /// Reads a body that comes in pieces, which end at these offsets.
    static func read(
        _ bytes: [UInt8], boundary: String = "X", cuts: [Int] = [], limits: MultipartLimits = MultipartLimits()
    ) throws(HTTPError) -> ReadForm {
        var form = ReadForm()
        var parser = try MultipartParser(boundary: boundary, limits: limits)
        var start = 0
        var isOver = false
        for end in cuts + [bytes.count] {
            try parser.receive(Array(bytes[start..<end]))
            start = end
            while let event = try parser.next() {
                switch event {
                case .part(let head): form.parts.append(Part(head))
                case .content(let piece): form.parts[form.parts.count - 1].content += piece
                case .endOfPart: break
                case .end: isOver = true
                }
            }
        }
        try parser.finish()
        guard isOver else { throw HTTPError(.internalServerError, "it ends without saying so") }
        return form
    }
}
