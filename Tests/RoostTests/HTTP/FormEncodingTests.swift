import RoostTesting
import Testing

@testable import Roost

@Suite("WHATWG URL §5.1: forms that are no UTF-8", .quietLog, .timeLimit(.minutes(5)))
struct FormEncodingTests {
    private struct Input: Decodable { var name: String }

    private static let typed: Headers = [.contentType: "application/x-www-form-urlencoded"]
    private static let multipart: Headers = [.contentType: "multipart/form-data; boundary=X"]

    private static func client() throws -> TestClient {
        try TestClient(middleware: [ErrorPages(logger: LogLines().logger)]) { routes in
            routes.post(Path("/input")) { request in try request.decode(Input.self).name }
            routes.post(Path("/form")) { request in "\(try request.form()["name"] ?? "-")" }
            routes.post(Path("/streamed"), body: .streamed) { request in
                try await request.decode(Input.self, limits: MultipartLimits()).name
            }
            routes.get(Path("/query")) { request in try request.decodeQuery(Input.self).name }
        }
    }

    private static func part(_ name: [UInt8], _ value: [UInt8], file: [UInt8]? = nil) -> [UInt8] {
        var body = Array("--X\r\nContent-Disposition: form-data; name=\"".utf8) + name + Array("\"".utf8)
        if let file { body += Array("; filename=\"".utf8) + file + Array("\"".utf8) }
        return body + Array("\r\n\r\n".utf8) + value + Array("\r\n--X--\r\n".utf8)
    }

    @Test(arguments: [
        "name=%e4%f6%fc", "name=%c0%c0", "name=a&%ff=b", "name=a%80", "name=%ed%a0%80", "name=%f4%90%80%80",
        "name=%c3", "name=a&other=%c3",
    ])
    func `a submitted form is refused with 400`(body: String) async throws {
        let client = try Self.client()
        for path in ["/input", "/form", "/streamed"] {
            let response = try await client.post(path, headers: Self.typed, body: Array(body.utf8))
            #expect(response.status == .badRequest, "\(path)")
            #expect(response.text.contains("UTF-8"), "\(path)")
        }
        #expect(try await client.get("/query?" + body).status == .badRequest)
    }

    @Test func `raw bytes are looked at like encoded ones`() async throws {
        let body = Array("name=".utf8) + [0xE4]
        #expect(try await Self.client().post("/input", headers: Self.typed, body: body).status == .badRequest)
    }

    @Test func `a form with files is refused with 400, too`() async throws {
        let (name, bad) = (Array("name".utf8), [0x61, 0xE4] as [UInt8])
        for body in [Self.part(name, bad), Self.part(bad, name), Self.part(name, name, file: bad)] {
            for path in ["/input", "/streamed"] {
                let response = try await Self.client().post(path, headers: Self.multipart, body: body)
                #expect(response.status == .badRequest, "\(path)")
            }
        }
    }

    @Test func `a file may have any bytes, and UTF-8 is read as before`() async throws {
        let client = try Self.client()
        let text = Array("näme €😀".utf8)
        let typed = try await client.post("/input", form: ["name": "näme €😀"])
        #expect(typed.text == "näme €😀")
        let parts = try await client.post(
            "/streamed", headers: Self.multipart, body: Self.part(Array("name".utf8), text))
        #expect(parts.text == "näme €😀")
        #expect(try await client.get("/query?name=%E2%82%AC").text == "€")
    }
}
