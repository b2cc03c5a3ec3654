import RoostTesting
import Testing

@testable import Roost

@Suite("Request ids", .timeLimit(.minutes(5)))
struct RequestIDsTests {
    private static func client() throws -> TestClient {
        try TestClient(middleware: [RequestIDs()]) { $0.get(Path("/")) { request in request.id ?? "none" } }
    }

    @Test func `each request has its own id, which the response carries, whatever the request says`() async throws {
        let client = try Self.client()
        var ids: Set<String> = []
        for _ in 0..<20 {
            let response = try await client.get("/", headers: [.requestID: "forged"])
            #expect(response.headers[.requestID] == response.text)
            #expect(response.text.utf8.count == 13)
            #expect(response.text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 26 }, "\(response.text)")
            ids.insert(response.text)
        }
        #expect(ids.count == 20)
        #expect(try await TestClient { $0.get(Path("/")) { request in request.id ?? "none" } }.get("/").text == "none")
    }

    @Test func `consecutive ids do not reveal how many there were`() async throws {
        let client = try Self.client()
        var (beginnings, ends): (Set<String>, Set<String>) = ([], [])
        for _ in 0..<50 {
            let id = try await client.get("/").text
            beginnings.insert(String(id.prefix(8)))
            ends.insert(String(id.suffix(8)))
        }
        // With 40 random bits, two ids among fifty are equal once in a billion times.
        #expect(beginnings.count == 50 && ends.count == 50)
    }

    @Test(arguments: [
        (UInt64(0), "0000000000000"), (31, "000000000000z"), (32, "0000000000010"), (.max, "fzzzzzzzzzzzz"),
        (0x0123_4567_89AB_CDEF, "028t5cy4tqkff"),
    ])
    func `an id is 64 bits in base 32`(number: UInt64, text: String) {
        #expect(RequestIDs.text(number) == text)
    }
}
