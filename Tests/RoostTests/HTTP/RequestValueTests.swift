import Roost
import RoostTesting
import Testing

/// Requests that no client has sent, with which a handler can be tested by itself.
@Suite("A request as a value", .timeLimit(.minutes(5)))
struct RequestValueTests {
    private struct Input: Decodable { var name: String }

    @Sendable private static func create(_ request: Request, id: Int) async throws -> Response {
        let input = try request.decode(Input.self)
        return .text("\(id) \(input.name) \(request.query["draft"] ?? "")", status: .created)
    }

    @Test func `a handler is a function of it`() async throws {
        let headers: Headers = [.contentType: "application/json"]
        let request = try Request(.post, "/users/7?draft=yes", headers: headers, body: #"{"name":"Ann"}"#)
        let response = try await Self.create(request, id: 7)
        #expect(response.status == .created)
        #expect(try response.body.text == "7 Ann yes")
    }

    @Test func `it has what it was given`() throws {
        var headers: Headers = [.accept: "text/*"]
        headers["Host"] = "example.com"
        let request = try Request(.delete, "/a%20b/../c%2Fd?x=1&y=2", headers: headers)
        #expect(request.method == .delete)
        #expect(request.path == "/c/d")
        #expect(request.query["y"] == "2")
        #expect(request.authority == "example.com")
        #expect(request.headers[.accept] == "text/*")
        #expect(request.peer == .loopback)
        #expect(try request.body.bytes == [])
        #expect(try Request(.get, "/").authority == "localhost")
    }

    @Test(arguments: ["", "users", "/a b", "/a\r\nX: y", "http://", "/\u{0}"])
    func `a request that a server would refuse cannot be made`(target: String) {
        #expect(throws: MalformedRequest.self) { try Request(.get, target) }
    }

    @Test(arguments: ["\r\nb: c", "\n", "\r", "\u{0}"])
    func `nothing but its own lines gets into it`(end: String) {
        #expect(throws: MalformedRequest.self) { try Request(.get, "/", headers: [.accept: "a\(end)"]) }
        #expect(throws: MalformedRequest.self) { try Request(.get, "/ HTTP/1.1\(end)X:") }
    }

    /// To compare two texts, `String` sorts the combining marks of each letter: the time grows with the square of their
    /// number.
    @Test(arguments: [30, 31, 7000])
    func `a field has only so many combining marks in a row`(count: Int) throws {
        let marks = (0..<count).map { $0 % 2 == 0 ? "\u{301}" : "\u{323}" }
        let value = "a\(marks.joined())b\u{301}"
        let kept = marks.prefix(30) + Array(repeating: "\u{FFFD}", count: max(0, count - 30))
        let request = try Request(.get, "/", headers: [.userAgent: value, .authorization: "Bearer \(value)"])
        let expected = "a\(kept.joined())b\u{301}"
        #expect(request.credentials("Bearer")?.utf8.elementsEqual(expected.utf8) == true)
        #expect(request.headers[.userAgent]?.utf8.elementsEqual(expected.utf8) == true)
        #expect(request.headers.list.contains { $0.value.utf8.elementsEqual(expected.utf8) })
    }

    private enum First: RequestKey { typealias Value = Int }
    private enum Second: RequestKey { typealias Value = Int }
    private enum Third: RequestKey { typealias Value = String }

    @Test func `each key has a value of its own, and copies keep theirs`() throws {
        var request = try Request(.get, "/")
        request[First.self] = 1
        request[Second.self] = 2
        request[Third.self] = "three"
        var copy = request
        copy[First.self] = 10
        copy[Second.self] = nil
        #expect(request[First.self] == 1 && request[Second.self] == 2 && request[Third.self] == "three")
        #expect(copy[First.self] == 10 && copy[Second.self] == nil && copy[Third.self] == "three")
        copy[Third.self] = nil
        copy[First.self] = nil
        #expect(copy[First.self] == nil && copy[Third.self] == nil)
        copy[Second.self] = 20
        #expect(copy[Second.self] == 20 && request[Second.self] == 2)
    }

    private enum Tagged<Tag>: RequestKey { typealias Value = String }

    @Test func `there may be many values, which come and go`() throws {
        var request = try Request(.get, "/")
        func set<Tag>(_ tag: Tag.Type, _ text: String?) { request[Tagged<Tag>.self] = text }
        func value<Tag>(_ tag: Tag.Type) -> String { request[Tagged<Tag>.self] ?? "-" }
        func all() -> String {
            value(Int8.self) + value(Int16.self) + value(Int32.self) + value(Int64.self) + value(UInt8.self)
                + value(UInt16.self)
        }
        set(Int8.self, "a")
        set(Int16.self, "b")
        set(Int32.self, "c")
        set(Int64.self, "d")
        set(UInt8.self, "e")
        set(UInt16.self, "f")
        #expect(all() == "abcdef")
        set(Int8.self, nil)
        set(UInt8.self, nil)
        #expect(all() == "-bcd-f")
        set(UInt16.self, "F")
        set(UInt8.self, "E")
        set(Int8.self, "A")
        set(Int64.self, "D")
        #expect(all() == "AbcDEF")
    }

    private final class Thing: Sendable {}
    private enum Object: RequestKey { typealias Value = Thing }
    private enum OptionalObject: RequestKey { typealias Value = Thing? }

    @Test func `an object is the same one, and is let go with the request`() throws {
        weak var thing: Thing?
        do {
            let first = Thing()
            thing = first
            var request = try Request(.get, "/")
            request[Object.self] = first
            request[OptionalObject.self] = Optional<Thing>.none
            let copy = request
            request[Object.self] = nil
            #expect(copy[Object.self] === first && request[Object.self] == nil)
            // A value that is nil is not the same as none.
            #expect(request[OptionalObject.self] != nil)
            request[OptionalObject.self] = .some(.some(first))
            #expect(request[OptionalObject.self]?.map { $0 === first } == true)
        }
        #expect(thing == nil)
    }

    @Test func `middleware is tested with it, too`() throws {
        var request = try Request(.post, "/", headers: [.origin: "https://elsewhere.example"])
        #expect(throws: HTTPError.self) { try CrossOriginProtection().before(&request) }
        var response = Response.text("a")
        SecurityHeaders(isHTTPS: false).after(&response, to: request)
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
    }

    @Test(arguments: [
        ("a=1; b=2", ["a=1", "b=2"]), (" a = 1 ;b=2;c", ["a=1", "b=2"]), ("a=1; a=2", ["a=1", "a=2"]),
        ("a=b=c", ["a=b=c"]), ("", []), (";;=;", ["="]),
    ])
    func `it has all cookies`(field: String, cookies: [String]) throws {
        let request = try Request(.get, "/", headers: [.cookie: field])
        #expect(request.cookies.map { "\($0.name)=\($0.value)" } == cookies)
        for (name, value) in request.cookies.reversed() where name == "b" { #expect(request.cookie("b") == value) }
    }

    @Test func `a field without a constant is found by its name`() throws {
        var headers = Headers()
        headers["X-Total-Count"] = "3"
        headers["Content-Type"] = "text/plain"
        #expect(headers["x-total-count"] == "3")
        #expect(headers[.contentType] == "text/plain")
        headers["X-TOTAL-COUNT"] = nil
        #expect(headers["X-Total-Count"] == nil)
    }
}
