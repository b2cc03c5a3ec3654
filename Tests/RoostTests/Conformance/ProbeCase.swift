import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

/// A case of Http11Probe, a public list of what HTTP/1.1 servers get wrong, under its name there. The bytes that are
/// sent, and the response that passes, are described in our own words.
///
/// A case is *met* when the response is the one that passes there. Where that response is stricter than the RFC
/// requires, and would turn valid clients away, we follow the RFC: such a case is *lenient* and says why.
struct ProbeCase: Sendable, CustomTestStringConvertible {
    enum Answer: Sendable {
        /// One of these, `Connection: close`, the end, and nothing more.
        case refused(Set<Int>)
        /// One of these; the connection may go on.
        case status(Set<Int>)
        /// 200 with this body; then the next request gets a response too.
        case ok(String)
        /// 200 with a body, then the end.
        case last
        /// No response before the rest arrives; and if the client ends instead, no 2xx.
        case waits
        /// One of these, with this field.
        case has(Set<Int>, HTTPField.Name)
        /// One of these, without this field and without a body.
        case lacks(Set<Int>, HTTPField.Name)
    }

    let id: String
    let bytes: [UInt8]
    let answer: Answer
    /// Why the response counts for less there; nil when the case is met.
    var leniency: String?

    var testDescription: String { id }

    init(_ id: String, _ text: String, _ answer: Answer = .refused([400])) {
        self.init(id, Array(text.utf8), answer)
    }

    init(_ id: String, _ bytes: [UInt8], _ answer: Answer = .refused([400])) {
        (self.id, self.bytes, self.answer) = (id, bytes, answer)
    }

    func lenient(_ reason: String) -> ProbeCase {
        var copy = self
        copy.leniency = reason
        return copy
    }

    /// All that are scored there.
    static let all = messages + requestLines + hosts + semantics + lengths + codings + chunks + smuggled + sizes + bytes

    // MARK: What the tables are written with

    /// One case for each name, made from the text beside it.
    static func each(
        _ table: KeyValuePairs<String, String>,
        _ answer: Answer = .refused([400]),
        _ make: (String) -> String
    ) -> [ProbeCase] {
        table.map { ProbeCase($0.key, make($0.value), answer) }
    }

    static func get(_ fields: String = "", target: String = "/") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a:8080\r\n\(fields)\r\n"
    }

    static func post(_ fields: String, _ body: String = "hello") -> String {
        "POST / HTTP/1.1\r\nHost: a:8080\r\n\(fields)\r\n\(body)"
    }

    static func chunked(_ body: String) -> String { post("Transfer-Encoding: chunked\r\n", body) }
}

@Suite("Http11Probe's scored cases", .timeLimit(.minutes(5)))
struct ProbeCaseTests {
    private let client: TestClient

    init() throws {
        client = try TestClient { routes in
            routes.get(Path("/")) { _ in "OK" }
            routes.post(Path("/")) { request in Response(.ok, "text/plain", request.body) }
        }
    }

    @Test func `each has a name of its own, and most are met`() {
        let cases = ProbeCase.all
        #expect(Set(cases.map(\.id)).count == cases.count)
        let lenient = cases.filter { $0.leniency != nil }
        let met = cases.count - lenient.count
        print("Http11Probe: \(cases.count) scored cases, \(met) met, \(lenient.count) lenient:")
        for probe in lenient { print("  \(probe.id): \(probe.leniency ?? "")") }
        #expect(lenient.count <= 11)
        #expect(Readme.text.contains("Roost meets \(met) of Http11Probe's \(cases.count) scored cases"))
    }

    @Test(arguments: ProbeCase.all)
    func `gets the right response`(probe: ProbeCase) async throws {
        let connection = try await client.connect()
        try await connection.send(probe.bytes)
        switch probe.answer {
        case .refused(let codes): try await expectRefusal(connection, codes)
        case .status(let codes): #expect(try await codes.contains(connection.readResponse().status.code))
        case .ok(let text):
            #expect(try await connection.readResponse().text == text)
            try await connection.send(ProbeCase.get())
            #expect(try await connection.readResponse().text == "OK")
        case .last:
            #expect(try await connection.readResponse().text == "OK")
            #expect(try await connection.readToEnd().isEmpty)
        case .waits: try await expectWaiting(connection)
        case .has(let codes, let name):
            let response = try await connection.readResponse()
            #expect(codes.contains(response.status.code))
            #expect(response.headers[name] != nil)
        case .lacks(let codes, let name):
            let head = try await connection.readResponse(to: .head)
            #expect(codes.contains(head.status.code))
            #expect(head.headers[name] == nil)
            try await connection.send(ProbeCase.get())
            #expect(try await connection.readResponse().text == "OK")
        }
    }

    private func expectRefusal(_ connection: HTTPConnection, _ codes: Set<Int>) async throws {
        let response = try await connection.readResponse()
        #expect(codes.contains(response.status.code), "\(response.status)")
        #expect(response.headers[.connection] == "close")
        #expect(try await connection.readToEnd().isEmpty)
    }

    private func expectWaiting(_ connection: HTTPConnection) async throws {
        #expect(try await client.get("/").text == "OK")
        #expect(!connection.isClosedByPeer)
        try connection.shutdownWrite()
        let rest = String(decoding: try await connection.readToEnd(), as: UTF8.self)
        #expect(rest.isEmpty || rest.hasPrefix("HTTP/1.1 400 "), "\(rest)")
    }
}
