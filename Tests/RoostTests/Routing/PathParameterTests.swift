import Roost
import RoostTesting
import Testing

@Suite("Typed path parameters", .timeLimit(.minutes(5)))
struct PathParameterTests {
    /// A colour such as `ff8000`.
    private struct Colour: PathParameter, LosslessStringConvertible {
        let value: UInt32
        var description: String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 6 - digits.count) + digits
        }

        init?(_ text: String) {
            guard text.utf8.count == 6, let value = UInt32(text, radix: 16) else { return nil }
            self.value = value
        }
    }

    private static let number = Path("/int/{id}", Int.self)
    private static let count = Path("/uint/{count}", UInt.self)
    private static let colour = Path("/colour/{colour}", Colour.self)
    private static let two = Path("/two/{name}/and/{name2}", String.self, String.self)
    private static let four = Path("/{id}/{name}/x/{number}/{number2}", Int.self, String.self, UInt64.self, Int64.self)

    private static func client() throws -> TestClient {
        try TestClient { routes in
            routes.get(number) { _, value in "\(value)" }
            routes.get(count) { _, value in "\(value)" }
            routes.get(colour) { _, value in "\(value.value)" }
            routes.get(two) { _, one, two in "\(one)|\(two)" }
            routes.get(four) { _, one, two, three, four in "\(one)|\(two)|\(three)|\(four)" }
        }
    }

    @Test(arguments: [
        ("/int/0", "0"),
        ("/int/7", "7"),
        ("/int/-3", "-3"),
        ("/int/%33", "3"),
        ("/int/999999999999999999", "999999999999999999"),
        ("/int/1000000000000000000", "1000000000000000000"),
        ("/int/9223372036854775807", "9223372036854775807"),
        ("/int/-9223372036854775808", "-9223372036854775808"),
        ("/uint/18446744073709551615", "18446744073709551615"),
        ("/uint/0", "0"),
        ("/colour/00ff00", "65280"),
        ("/colour/FFFFFF", "16777215"),
        ("/two/a%2Fb/and/and", "a/b|and"),
        ("/-1/%20/x/2/-3", "-1| |2|-3"),
    ])
    func `a segment is a value of its type`(path: String, value: String) async throws {
        let response = try await Self.client().get(path)
        #expect(response.status == .ok)
        #expect(response.text == value)
    }

    @Test(arguments: [
        "/int/+3", "/int/03", "/int/-0", "/int/-03", "/int/", "/int/-", "/int/3.0", "/int/0x1", "/int/1e3",
        "/int/9223372036854775808", "/int/-9223372036854775809", "/int/99999999999999999999999999", "/int/%203",
        "/int/3%20", "/int/3%0A", "/int/%D9%A3", "/int/%2B3", "/int/three", "/uint/-1", "/uint/-0", "/uint/+1",
        "/uint/18446744073709551616", "/colour/ff", "/colour/gggggg", "/colour/00ff000", "/two//and/x", "/1/a/x/-2/3",
        "/1/a/x/2/+3", "/1/a/x/2/",
    ])
    func `a segment that is not a value makes the path unknown`(path: String) async throws {
        #expect(try await Self.client().get(path).status == .notFound)
    }

    @Test func `a function that waits finds the same path unknown`() async throws {
        let client = try TestClient { routes in
            routes.get(Self.number) { _, value in
                await Task.yield()
                return "\(value)"
            }
        }
        #expect(try await client.get("/int/12").text == "12")
        #expect(try await client.get("/int/012").status == .notFound)
    }

    @Test(arguments: [
        "a", "a b", "a/b", "/", "//", "?", "?a=b", "#", "%", "%2F", "%zz", "a+b", "&=;", "...", ".a", "a..", "ä", "é",
        "e\u{301}", "😀", "日本語", "\"'<>", "\\", ":", "\n", "\r\n", "\u{7F}", "~-_.", "{}|^`[]@!$()*,", " ",
    ])
    func `a URL made from a path is parsed back to its values`(value: String) async throws {
        let client = try Self.client()
        let url = Self.two.url(value, "b/" + value)
        #expect(url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        let response = try await client.get(url)
        #expect(response.status == .ok)
        #expect(response.body == Array("\(value)|b/\(value)".utf8))
    }

    @Test(arguments: [
        "größe-", "a b ", "-größe", " x", "ä", "%25", "é/", "100%25-",
    ])
    func `text around a parameter is found however it is encoded`(text: String) async throws {
        let text = text.split(separator: "/").joined()
        let before = Path("/\(text){n}", Int.self)
        let after = Path("/after/{n}\(text)", Int.self)
        let both = Path("/both/\(text){n}\(text)", String.self)
        let client = try TestClient { routes in
            routes.get(before) { _, n in "before \(n)" }
            routes.get(after) { _, n in "after \(n)" }
            routes.get(both) { _, n in "both \(n)" }
        }
        #expect(try await client.get(before.url(7)).text == "before 7")
        #expect(try await client.get(after.url(7)).text == "after 7")
        #expect(try await client.get(both.url("ü %7")).text == "both ü %7")
        #expect(try await client.get(both.url("")).status == .notFound)
        #expect(try await client.get(after.url(7) + "x").status == .notFound)
    }

    @Test func `an escape for a plain letter means that letter`() async throws {
        let client = try TestClient { $0.get(Path("/n-{n}.json", Int.self)) { _, n in "\(n)" } }
        #expect(try await client.get("/%6E%2D7%2Ejso%6e").text == "7")
        #expect(try await client.get("/n-7.jso%6").status != .ok)
        #expect(try await client.get("/n-%2Ejson").status == .notFound)
    }

    @Test func `URLs are made of literals and values`() throws {
        #expect(Path("/").url() == "/")
        #expect(Path("/users").url() == "/users")
        #expect(Path("/users/").url() == "/users/")
        #expect(Path("/a%2Fb/c%20d/ü").url() == "/a%2Fb/c%20d/%C3%BC")
        #expect(Self.number.url(-3) == "/int/-3")
        #expect(Self.colour.url(try #require(Colour("00FF00"))) == "/colour/00ff00")
        #expect(Self.four.url(.min, "x", UInt64.max, Int64(0)) == "/-9223372036854775808/x/x/18446744073709551615/0")
    }
}
