import FoundationEssentials
import Testing

@testable import Roost

@Suite("Files in a form", .timeLimit(.minutes(5)))
struct UploadedFileTests {
    struct Input: Decodable {
        var title: String?
        var picture: UploadedFile?
        var pages: [UploadedFile]
    }

    private static func read(
        _ parts: String..., threshold: Int = 10
    ) async throws -> (value: Input?, faults: [FieldFault]) {
        let text = parts.map { "--X\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--X--"
        var limits = MultipartLimits()
        limits.memoryThreshold = threshold
        let parser = try MultipartParser(boundary: "X", limits: limits)
        let form = try await ReceivedForm(
            MultipartParts(Body(stream: SingleBytes(bytes: Array(text.utf8))), parser), limits)
        let whole = try ReceivedForm(Array(text.utf8), parser).checked()
        #expect(whole.form == form.form)
        #expect(whole.files.map(\.name) == form.files.map(\.name))
        return try FormDecoder.read(Input.self, from: FormFields(form.form, files: form.files))
    }

    /// A body that comes byte by byte.
    private struct SingleBytes: AsyncSequence, AsyncIteratorProtocol {
        let bytes: [UInt8]
        var index = 0

        mutating func next() async throws -> [UInt8]? {
            guard index < bytes.count else { return nil }
            defer { index += 1 }
            return [bytes[index]]
        }

        func makeAsyncIterator() -> SingleBytes { self }
    }

    @Test func `files and fields are properties of one input type`() async throws {
        let input = try #require(
            try await Self.read(
                "name=title\r\n\r\nNest", "name=picture; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n12345",
                "name=pages; filename=\"1\"\r\n\r\nabc", "name=pages; filename=\"2\"\r\n\r\n\(Self.long)"
            ).value)
        #expect(input.title == "Nest")
        let picture = try #require(input.picture)
        #expect(picture.name == "a.png")
        #expect(picture.contentType == MediaType("image", "png"))
        #expect(try await picture.bytes(upTo: 5) == Array("12345".utf8))
        #expect(input.pages.map(\.name) == ["1", "2"])
        #expect(input.pages.map(\.count) == [3, Self.long.utf8.count])
    }

    /// A body whose bytes are counted.
    private struct CountedBytes: AsyncSequence, CountedStream {
        let bytes: SingleBytes
        let memory: MemoryBudget

        func makeAsyncIterator() -> SingleBytes { bytes }
    }

    private static func form(_ text: String, _ limits: MultipartLimits, _ memory: MemoryBudget) async throws
        -> ReceivedForm
    {
        let stream = CountedBytes(bytes: SingleBytes(bytes: Array(text.utf8)), memory: memory)
        let parser = try MultipartParser(boundary: "X", limits: limits)
        return try await ReceivedForm(MultipartParts(Body(stream: stream), parser), limits).checked()
    }

    @Test func `the texts of a form are limited together, and count as long as it is there`() async throws {
        let fields = (1...3).map { "--X\r\nContent-Disposition: form-data; name=a\($0)\r\n\r\n1234567\r\n" }.joined()
        let memory = MemoryBudget(1000)
        var limits = MultipartLimits()
        limits.maximumTextSize = 27
        do {
            let form = try await Self.form(fields + "--X--", limits, memory)
            #expect(form.form.fields.count == 3)
            #expect(memory.count == 27)
        }
        #expect(memory.count == 0)
        limits.maximumTextSize = 26
        let error = await #expect(throws: HTTPError.self) { try await Self.form(fields + "--X--", limits, memory) }
        #expect(error?.status == .contentTooLarge)
        let busy = MemoryBudget(30)
        let full = await #expect(throws: HTTPError.self) {
            try await Self.form(fields + "--X--", MultipartLimits(), busy)
        }
        #expect(full?.status == .serviceUnavailable)
        #expect(memory.count == 0 && busy.count == 0)
    }

    @Test func `the texts of a form in memory have the same limits`() throws {
        let fields = (1...3).map { "--X\r\nContent-Disposition: form-data; name=a\($0)\r\n\r\n1234567\r\n" }.joined()
        func read(_ limits: MultipartLimits) throws -> ReceivedForm {
            ReceivedForm(Array((fields + "--X--").utf8), try MultipartParser(boundary: "X", limits: limits))
        }
        var limits = MultipartLimits()
        limits.maximumTextSize = 27
        #expect(try read(limits).fault == nil)
        limits.maximumTextSize = 26
        #expect(try read(limits).fault?.status == .contentTooLarge)
        limits.maximumFieldSize = 6
        let form = try read(limits)
        #expect(form.fault?.parts.map(\.name) == ["a1"])
        #expect(form.form.fields.isEmpty)
    }

    @Test func `what waits to be written to a file counts, or is written at once`() async throws {
        let memory = MemoryBudget(100)
        var spool = FileSpool(memoryThreshold: 10, memory)
        try await spool.append(Array(repeating: 1, count: 11))
        #expect(memory.count == 11)
        // There is room for it once more, but not for everything.
        try await spool.append(Array(repeating: 2, count: 30))
        #expect(memory.count == 30)
        let other = MemoryLease(60, of: memory)
        for number in 0..<20 { try await spool.append(Array(repeating: UInt8(number), count: 40)) }
        #expect(memory.count == 90)
        let file = try await spool.file(name: "a", contentType: nil)
        #expect(file.count == 841)
        let bytes = try await file.bytes(upTo: 841)
        #expect(bytes.prefix(11).allSatisfy { $0 == 1 } && bytes.suffix(40).allSatisfy { $0 == 19 })
        withExtendedLifetime(other) {}
    }

    @Test func `a file that would never fit into memory goes to the disk, whatever the threshold is`() async throws {
        let memory = MemoryBudget(100)
        var spool = FileSpool(memoryThreshold: 1000, memory)
        for _ in 0..<6 { try await spool.append(Array(repeating: 1, count: 10)) }
        let file = try await spool.file(name: "a", contentType: nil)
        guard case .disk = file.content else {
            Issue.record("\(file.count) bytes are in memory")
            return
        }
        #expect(try await file.bytes(upTo: 60) == Array(repeating: 1, count: 60))
    }

    /// RFC 7578 §4.2 forbids it, and some older clients send nothing else.
    @Test(arguments: [
        ("filename*=UTF-8''%C3%A4%20b.png", "ä b.png"), ("filename*=utf-8'en'a.png; x=1", "a.png"),
        ("filename*=\"UTF-8''a.png\"", "a.png"), ("filename=\"a.png\"; filename*=UTF-8''b.png", "a.png"),
        ("filename*=UTF-8''b.png; filename=\"a.png\"", "a.png"),
        ("filename*=UTF-8''..%2F..%5Cetc%2Fpasswd%00", "passwd"),
        ("filename*=UTF-8''%FF", "\u{FFFD}"), ("filename*=a.png", ""),
    ])
    func `a part with an extended name alone is a file`(parameters: String, name: String) async throws {
        let input = try await Self.read("name=picture; \(parameters)\r\n\r\n12345").value
        let picture = try #require(input?.picture)
        #expect(picture.name == name)
        #expect(picture.count == 5)
    }

    private static let long = String(repeating: "long ", count: 1000)

    @Test func `a large file is on disk, and reads the same`() async throws {
        let input = try await Self.read("name=picture; filename=\"a\"\r\n\r\n\(Self.long)").value
        let file = try #require(input?.picture)
        guard case .disk = file.content else {
            Issue.record("\(file.count) bytes are in memory")
            return
        }
        #expect(try await file.bytes(upTo: .max) == Array(Self.long.utf8))
        #expect(try await file.bytes(in: 5..<9) == Array("long".utf8))
        #expect(try await file.bytes(in: file.count..<file.count + 9).isEmpty)
        await #expect(throws: HTTPError.self) { try await file.bytes(upTo: file.count - 1) }
        #expect(try await file.imageHeader() == nil)
    }

    @Test func `a file that has not been chosen is absent, and one in its place is an error`() async throws {
        #expect(try await Self.read("name=picture; filename=\"\"\r\n\r\n").value?.picture == nil)
        let empty = try await Self.read("name=picture; filename=\"a\"\r\n\r\n").value?.picture
        #expect(empty?.count == 0)
        let faults = try await Self.read("name=picture\r\n\r\ntext").faults
        #expect(faults.map(\.field) == ["picture"])
        #expect(faults.map(\.message) == [.file])
    }

    @Test func `a temporary file has no name, and none is left behind`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "roost-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try TemporaryFile(folder: folder)
        try file.append(Array("ab".utf8))
        try file.append(Array("c".utf8))
        #expect(try file.read(0..<10) == Array("abc".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        let error = #expect(throws: FileWriteError.self) { try TemporaryFile(folder: folder + "/missing") }
        #expect(error?.description.hasPrefix("No temporary file can be made in \(folder)/missing (") == true)
        #expect(error?.description.contains("set TMPDIR") == true)
    }
}
