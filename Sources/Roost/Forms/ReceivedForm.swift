/// A submitted form as it was received: its fields, its files, and why it is refused if it is.
///
/// A form that is refused still has what could be read of it, for the page that shows it again.
struct ReceivedForm: Sendable {
    /// The fields without the files.
    private(set) var form: Form
    private(set) var files: [(name: String, file: UploadedFile)] = []
    /// The error that it is refused with; nil for a form that is whole.
    private(set) var fault: HTTPError?
    private var lease: MemoryLease?

    /// A form whose fields have been read.
    init(_ form: Form, _ maximumFields: Int) {
        self.form = form
        if !form.isUTF8 {
            fault = .notUTF8
        } else if !form.isWhole {
            fault = HTTPError(.contentTooLarge, Sentence.mostFields(maximumFields))
        }
        refuseSlowTexts()
    }

    /// Reads the parts as they come: large files become temporary files. After a part that is too large, those that
    /// follow are still read, but not kept if they are files.
    /// - Throws: Only the errors that are the network's or the machine's fault.
    init(_ parts: MultipartParts, _ limits: MultipartLimits) async throws {
        form = Form()
        let reader = parts.reader
        // The texts count for as long as the form is there, not only while they come.
        lease = reader.memory.map { MemoryLease(0, of: $0) }
        var size = 0
        do {
            while let part = try await reader.nextPart() {
                do {
                    try await take(part, limits, &size)
                } catch let error as HTTPError where error.isAboutPart {
                    fault = fault ?? error
                }
            }
        } catch let error as HTTPError where [.badRequest, .contentTooLarge].contains(error.status) {
            fault = fault ?? error.named(after: reader.file, limits)
        }
        refuseSlowTexts()
    }

    /// Reads one part.
    private mutating func take(_ part: MultipartPart, _ limits: MultipartLimits, _ size: inout Int) async throws {
        size += part.name.utf8.count
        if part.fileName == nil {
            let text = try await part.text(upTo: limits.maximumFieldSize)
            size += text.utf8.count
            try lease?.grow(by: part.name.utf8.count + text.utf8.count)
            form.append(part.name, text)
        } else if fault == nil {
            add(try await part.file(memoryThreshold: limits.memoryThreshold), part.name)
        }
        try limits.checkTexts(size)
    }

    /// Reads the parts of a body that is in memory.
    init(_ body: [UInt8], _ parser: MultipartParser) {
        form = Form()
        do throws(HTTPError) { try read(body, parser) } catch { fault = fault ?? error }
        refuseSlowTexts()
    }

    private mutating func read(_ body: [UInt8], _ parser: MultipartParser) throws(HTTPError) {
        var parser = parser
        var head = MultipartHead()
        var content: [UInt8] = []
        var size = 0
        try parser.receive(body)
        while let event = try parser.next() {
            switch event {
            case .part(let next): (head, content) = (next, [])
            case .content(let piece): content += piece
            case .endOfPart:
                do throws(HTTPError) {
                    try take(head, content, parser.limits, &size)
                } catch {
                    guard error.isAboutPart else { throw error }
                    fault = fault ?? error
                }
            case .end: return
            }
        }
        try parser.finish()
    }

    /// Takes a part that is in memory.
    private mutating func take(
        _ head: MultipartHead, _ content: [UInt8], _ limits: MultipartLimits, _ size: inout Int
    ) throws(HTTPError) {
        size += head.name.utf8.count
        if let name = head.anyFileName {
            add(UploadedFile(name: name, contentType: head.contentType, content), head.name)
        } else {
            guard content.count <= limits.maximumFieldSize else {
                throw .partTooLarge(head.name, limits.maximumFieldSize)
            }
            guard let text = String(validating: content, as: UTF8.self) else { throw .notUTF8 }
            size += content.count
            form.append(head.name, text)
        }
        try limits.checkTexts(size)
    }

    /// Refuses texts that would take long to compare, and lets go of them: the page that shows the form again would
    /// compare them, too.
    private mutating func refuseSlowTexts() {
        guard let slow = form.slowText else { return }
        fault = fault ?? HTTPError(.unprocessableContent, [slow], .english)
        form = form.withoutSlowTexts
    }

    /// The form, if nothing is wrong with it.
    /// - Throws: ``HTTPError`` with 400, 413 or 422.
    func checked() throws(HTTPError) -> ReceivedForm {
        if let fault { throw fault }
        return self
    }

    /// A file that has not been chosen comes without a name and without content.
    private mutating func add(_ file: UploadedFile, _ name: String) {
        if !file.name.isEmpty || file.count > 0 { files.append((name, file)) }
    }
}

extension MultipartLimits {
    /// - Throws: ``HTTPError`` with 413 when the texts of a form and their names have more bytes than they may.
    fileprivate func checkTexts(_ size: Int) throws(HTTPError) {
        guard size <= maximumTextSize else { throw HTTPError(.contentTooLarge, Sentence.mostText(maximumTextSize)) }
    }
}

extension HTTPError {
    /// The error for a form with a text that is not UTF-8.
    static var notUTF8: HTTPError { HTTPError(.badRequest, "The form is not valid UTF-8.") }

    /// Whether it says that one part is too large, after which the others can be read.
    fileprivate var isAboutPart: Bool { status == .contentTooLarge && !parts.isEmpty }

    /// An error about a whole body that is too large, which came while a file was read: it is the file's.
    fileprivate func named(after file: String?, _ limits: MultipartLimits) -> HTTPError {
        guard let file, sentence == .largestBody(limits.maximumSize) else { return self }
        return .partTooLarge(file, limits.maximumSize)
    }
}
