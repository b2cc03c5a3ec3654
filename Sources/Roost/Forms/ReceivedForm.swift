/// A submitted form as it was received: its fields, and its files.
struct ReceivedForm: Sendable {
    /// The fields without the files.
    private(set) var form: Form
    private(set) var files: [(name: String, file: UploadedFile)] = []
    private var lease: MemoryLease?

    init(_ form: Form) { self.form = form }

    /// Reads the parts as they come: large files become temporary files.
    init(_ parts: MultipartParts, _ limits: MultipartLimits) async throws {
        form = Form()
        // The texts count for as long as the form is there, not only while they come.
        lease = parts.memory.map { MemoryLease(0, of: $0) }
        var size = 0
        for try await part in parts {
            size += part.name.utf8.count
            if part.fileName != nil {
                add(try await part.file(memoryThreshold: limits.memoryThreshold), part.name)
            } else {
                let text = try await part.text(upTo: limits.maximumFieldSize)
                size += text.utf8.count
                try lease?.grow(by: part.name.utf8.count + text.utf8.count)
                form.append(part.name, text)
            }
            guard size <= limits.maximumTextSize else {
                throw HTTPError(.contentTooLarge, Sentence.mostText(limits.maximumTextSize))
            }
        }
    }

    /// Reads the parts of a body that is in memory.
    init(_ body: [UInt8], _ parser: MultipartParser) throws(HTTPError) {
        form = Form()
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
                    form.append(head.name, String(decoding: content, as: UTF8.self))
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
