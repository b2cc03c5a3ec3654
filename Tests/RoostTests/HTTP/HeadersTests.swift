import HTTPTypes
import Testing

@testable import Roost

/// The rules of header fields, however many there are, and wherever they are kept.
@Suite("Header fields", .timeLimit(.minutes(5)))
struct HeadersTests {
    private static let names: [HTTPField.Name] = [.accept, .vary, .link, .location, .server]

    private static func pairs(_ headers: Headers) -> [String] { headers.list.map { "\($0.name)=\($0.value)" } }

    @Test(arguments: 0...5)
    func `fields stay in the order in which they were added`(count: Int) {
        var headers = Headers()
        for index in 0..<count { headers.append(Self.names[index], "\(index)") }
        #expect(Self.pairs(headers) == (0..<count).map { "\(Self.names[$0])=\($0)" })
        for index in 0..<count { #expect(headers[Self.names[index]] == "\(index)") }
        #expect(headers[.cookie] == nil)
    }

    @Test(arguments: 1...5)
    func `setting replaces a field where it is`(count: Int) {
        for index in 0..<count {
            var headers = Headers()
            for index in 0..<count { headers[Self.names[index]] = "\(index)" }
            headers[Self.names[index]] = "new"
            #expect(Self.pairs(headers) == (0..<count).map { "\(Self.names[$0])=\($0 == index ? "new" : "\($0)")" })
        }
    }

    @Test func `merged with others, those of a name replace the own ones`() {
        var own: Headers = [.accept: "a", .link: "b"]
        own.append(.link, "c")
        var others: Headers = [.vary: "d", .accept: "e"]
        others.append(.accept, "f")
        #expect(own.merging(others).list.map(\.value) == ["b", "c", "d", "e", "f"])
        #expect(own.merging([:]).list == own.list)
        #expect(Headers().merging(own).list == own.list)
    }

    @Test(arguments: 1...5)
    func `setting nil removes every field of a name`(count: Int) {
        for index in 0..<count {
            var headers = Headers()
            for index in 0..<count { headers.append(Self.names[index], "\(index)") }
            headers.append(Self.names[index], "again")
            headers[Self.names[index]] = nil
            #expect(Self.pairs(headers) == (0..<count).filter { $0 != index }.map { "\(Self.names[$0])=\($0)" })
        }
    }

    @Test(arguments: 1...4)
    func `setting makes one field of several`(count: Int) {
        var headers = Headers()
        for index in 0..<count { headers.append(.vary, "\(index)") }
        headers.append(.link, "x")
        headers[.vary] = "one"
        #expect(Self.pairs(headers) == ["Vary=one", "Link=x"])
    }

    @Test(arguments: [
        ("Accept", [HTTPField.Name.origin], ["Accept", "Origin"]),
        ("Accept", [.acceptEncoding, .origin], ["Accept, Accept-Encoding, Origin"]),
        ("Accept-Language", [.cookie, .origin], ["Accept-Language, Cookie, Origin"]),
        ("accept-encoding", [.acceptLanguage, .acceptEncoding], ["accept-encoding, Accept-Language"]),
        ("*", [.cookie], ["*"]),
    ])
    func `what most pages depend on shares a line`(first: String, added: [HTTPField.Name], lines: [String]) {
        var headers: Headers = [.vary: first]
        for field in added { headers.addToVary(field) }
        #expect(headers[values: .vary] == lines)
    }

    private static let shared = SharedFields([.xContentTypeOptions: "nosniff", .contentSecurityPolicy: "default-src x"])

    @Test func `shared fields are read as all others`() {
        var headers: Headers = [.contentType: "text/plain"]
        headers.addMissing(Self.shared)
        headers.append(.link, "x")
        #expect(headers[.xContentTypeOptions] == "nosniff")
        #expect(headers[values: .contentSecurityPolicy] == ["default-src x"])
        #expect(headers.contains(.contentSecurityPolicy))
        #expect(Set(headers.list.map(\.name)) == [.contentType, .xContentTypeOptions, .contentSecurityPolicy, .link])
    }

    @Test func `a shared field does not replace a response's own`() {
        var headers: Headers = [.contentSecurityPolicy: "own"]
        headers.addMissing(Self.shared)
        #expect(headers[values: .contentSecurityPolicy] == ["own"])
        #expect(headers[.xContentTypeOptions] == "nosniff")
    }

    @Test func `a shared field can be replaced, removed and added to`() {
        var headers = Headers()
        headers.addMissing(Self.shared)
        headers[.xContentTypeOptions] = "other"
        headers[.contentSecurityPolicy] = nil
        #expect(Self.pairs(headers) == ["X-Content-Type-Options=other"])

        var others = Headers()
        others.addMissing(Self.shared)
        others.append(.xContentTypeOptions, "more")
        #expect(Set(others[values: .xContentTypeOptions]) == ["nosniff", "more"])
        #expect(Self.shared.list.count == 2)
    }

    @Test func `more shared fields are added one by one`() {
        var headers = Headers()
        headers.addMissing(Self.shared)
        headers.addMissing(SharedFields([.xContentTypeOptions: "never", .server: "x"]))
        #expect(headers[values: .xContentTypeOptions] == ["nosniff"])
        #expect(headers[.server] == "x")
    }

    @Test func `a shared field that must not be sent is named`() {
        #expect(SharedFields([.server: "a\r\nSet-Cookie: b"]).refused == .server)
        #expect(Self.shared.refused == nil)
    }
}
