/// A submitted form as it was received: its fields, and its files.
struct ReceivedForm: Sendable {
    private(set) var fields: [(String, String)] = []
    private(set) var files: [(name: String, file: UploadedFile)] = []

    /// The fields without the files.
    var form: Form { Form(fields) }

    init(_ form: Form) { fields = form.fields.map { ($0.name, $0.value) } }

    private init() {}

    /// Reads the parts as they come: large files become temporary files.
    init(_ parts: MultipartParts, _ limits: MultipartLimits) async throws {
        for try await part in parts {
            if part.fileName != nil {
                add(try await part.file(memoryThreshold: limits.memoryThreshold), part.name)
            } else {
                fields.append((part.name, try await part.text(upTo: limits.maximumFieldSize)))
            }
        }
    }

    /// Reads the parts of a body that is in memory.
    init(_ body: [UInt8], _ parser: MultipartParser) throws(HTTPError) {
        var parser = parser
        var head = MultipartHead()
        var content: [UInt8] = []
        try parser.receive(body)
        while let event = try parser.next() {
            switch event {
            case .part(let next): (head, content) = (next, [])
            case .content(let piece): content += piece
            case .endOfPart:
                if let name = head.fileName {
                    add(UploadedFile(name: name, contentType: head.contentType, content), head.name)
                } else {
                    fields.append((head.name, String(decoding: content, as: UTF8.self)))
                }
            case .end: return
            }
        }
        try parser.finish()
    }

    /// A file that has not been chosen comes without a name and without content.
    private mutating func add(_ file: UploadedFile, _ name: String) {
        if !file.name.isEmpty || file.count > 0 { files.append((name, file)) }
    }
}
