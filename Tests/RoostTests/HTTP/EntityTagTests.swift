import HTTPTypes
import Roost
import RoostTesting
import Testing

@Suite("RFC 9110 §13: conditional requests", .timeLimit(.minutes(5)))
struct EntityTagTests {
    private static func answer(_ headers: Headers, tag: EntityTag = EntityTag("7")) async throws -> String {
        try await TestClient { routes in
            routes.get(Path("/")) { request in "\(request.ifMatch(tag)) \(!request.isFresh(tag))" }
        }.get("/", headers: headers).text
    }

    @Test(arguments: [
        (nil, true), ("*", true), ("\"7\"", true), ("\"6\", \"7\"", true), (",\"6\" ,,\t\"7\",", true),
        ("\"a,b\", \"7\"", true), ("W/\"7\"", false), ("\"8\"", false), ("7", false), ("\"7", false), ("", false),
        ("\"7\" \"8\"", false), ("\"7\"x", false), ("w/\"7\"", false), ("\"7\", x", false),
    ])
    func `If-Match compares strongly`(field: String?, matches: Bool) async throws {
        let headers: Headers = field.map { [.ifMatch: $0] } ?? [:]
        #expect(try await Self.answer(headers) == "\(matches) true")
    }

    @Test func `values are compared by their bytes`() async throws {
        let tag = EntityTag("e\u{301}")
        for (field, answer) in [
            ("\"e%CC%81\"", "true false"), ("\"%C3%A9\"", "false true"), ("\"\u{E9}\"", "false true"),
        ] {
            #expect(try await Self.answer([.ifMatch: field, .ifNoneMatch: field], tag: tag) == answer)
        }
    }

    @Test func `a weak tag matches no If-Match`() async throws {
        let tag = EntityTag("7", isWeak: true)
        #expect(tag.description == "W/\"7\"")
        #expect(try await Self.answer([.ifMatch: "W/\"7\""], tag: tag) == "false true")
    }

    @Test(arguments: [
        (nil, true), ("*", false), ("\"7\"", false), ("W/\"7\"", false), ("\"6\", W/\"7\"", false), ("\"8\"", true),
        ("7", true), ("", true),
    ])
    func `If-None-Match compares weakly`(field: String?, matches: Bool) async throws {
        let headers: Headers = field.map { [.ifNoneMatch: $0] } ?? [:]
        #expect(try await Self.answer(headers) == "true \(matches)")
    }

    @Test(arguments: [
        ("", "\"\""), ("a-b_c.1", "\"a-b_c.1\""), ("W/", "\"W/\""), ("\"a\"", "\"%22a%22\""), ("a b", "\"a%20b\""),
        ("ü", "\"%C3%BC\""), ("50%", "\"50%25\""), ("%22", "\"%2522\""), ("\r\n", "\"%0D%0A\""), ("\0", "\"%00\""),
        ("a\u{301}\"\u{301}", "\"a%CC%81%22%CC%81\""),
    ])
    func `any text makes a tag that can be sent and read back`(text: String, field: String) async throws {
        let tag = EntityTag(text)
        #expect(tag.description == field)
        #expect(try await Self.answer([.ifMatch: "\"x\", \(field)"], tag: tag) == "true true")
        #expect(try await Self.answer([.ifNoneMatch: "W/" + field], tag: tag) == "true false")
    }

    @Test func `tags in several lines are one list`() async throws {
        var headers = Headers()
        headers.append(.ifMatch, "\"6\"")
        headers.append(.ifMatch, "\"7\"")
        #expect(try await Self.answer(headers) == "true true")
    }
}
