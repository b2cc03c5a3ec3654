import RoostTesting
import Testing

@testable import Roost

/// Parts with a file name, which some clients give to texts.
@Suite("A file where a form has a value", .timeLimit(.minutes(5)))
struct UnexpectedFileTests {
    private struct Title: Decodable { var title: String }

    private struct Input: Decodable {
        enum Size: String, Decodable { case small, large }

        var title: String?
        var tags: [String]?
        var size: Size?
        var isPublic: Bool?
        var count: Int?
    }

    private static func body(_ name: String, fileName: String = "blob") -> [UInt8] {
        Array(
            """
            --X\r\nContent-Disposition: form-data; name="\(name)"; filename="\(fileName)"\r\n\r\nabc\r\n--X--\r\n
            """.utf8)
    }

    private static func received(_ body: [UInt8]) throws -> ReceivedForm {
        try ReceivedForm(body, MultipartParser(boundary: "X", limits: MultipartLimits())).checked()
    }

    private static func faults<Value: Decodable>(_ type: Value.Type, _ name: String) throws -> [String] {
        let form = try received(body(name))
        let (_, faults) = try FormDecoder.read(type, from: FormFields(form.form, files: form.files))
        return faults.map { "\($0.field ?? "-"): \($0.message.template)" }
    }

    @Test func `is a fault, and no empty text`() throws {
        #expect(try Self.faults(Title.self, "title") == ["title: Must be a text, not a file."])
    }

    @Test(arguments: [
        ("title", "Must be a text, not a file."), ("tags", "Must be a text, not a file."),
        ("size", "Is not one of the choices."), ("isPublic", "Must be true or false."),
        ("count", "Must be a whole number."),
    ])
    func `is a fault of an optional value, too`(name: String, message: String) throws {
        #expect(try Self.faults(Input.self, name) == ["\(name): \(message)"])
    }

    @Test(.quietLog) func `gets 422`() async throws {
        let client = try Probe.client { routes in
            routes.post(Path("/titles")) { request in try request.decode(Title.self).title }
        }
        let headers: Headers = [.contentType: "multipart/form-data; boundary=X"]
        let response = try await client.post("/titles", headers: headers, body: Self.body("title"))
        #expect(response.status == .unprocessableContent)
        #expect(response.text.contains("Must be a text, not a file."))
    }

    /// A file system that counts letters allows 255 of them, each of which may have three or four bytes in UTF-8.
    @Test func `a file may have a long name in any script`() throws {
        let name = String(repeating: "ж", count: 254) + ".pdf"
        #expect(try Self.received(Self.body("file", fileName: name)).files.map(\.file.name) == [name])
        let longest = String(repeating: "x", count: 1024)
        #expect(try Self.received(Self.body("file", fileName: longest)).files.map(\.file.name) == [longest])
        let error = #expect(throws: HTTPError.self) {
            try Self.received(Self.body("file", fileName: longest + "x"))
        }
        #expect(error?.status == .contentTooLarge)
        // The bound of the whole header still holds.
        let header = #expect(throws: HTTPError.self) {
            try Self.received(Self.body("file", fileName: String(repeating: "%22", count: 3000)))
        }
        #expect(header?.message == "The header fields of a part are too large.")
    }
}
