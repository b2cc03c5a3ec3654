import HTTPTypes
import Roost
import RoostSQL
import RoostTesting
import Testing

@testable import RoostAuth

@Suite("Guards and API tokens", .quietLog, .timeLimit(.minutes(5)))
struct GuardTests {
    private static let browser: Headers = [.accept: "text/html,*/*;q=0.8"]

    @Test func `a browser is sent to sign in, a program is told how`() async throws {
        let client = try await AuthSite().visitor()
        let page = try await client.get("/me?tab=2", headers: Self.browser)
        #expect(page.status == .seeOther)
        #expect(page.headers[.location] == "/login?next=%2Fme%3Ftab%3D2")
        let problem = try await client.get("/me")
        #expect(problem.status == .unauthorized)
        #expect(problem.headers[.wwwAuthenticate] == "Cookie realm=\"Roost\", form-action=\"/login\"")
        #expect(problem.headers[.contentType] == "application/problem+json")
    }

    @Test(arguments: [
        ("http://localhost/form?a=b", "/form?a=b"), ("https://localhost/form", "/form"),
        ("http://localhost.evil.example/form", "/sessions/end"), ("http://evil.example/form", "/sessions/end"),
        ("http://localhost//evil.example", "/sessions/end"), ("localhost/form", "/sessions/end"),
        ("http://localhost", "/sessions/end"), (nil, "/sessions/end"),
    ])
    func `after a form, signing in leads back to the page that had it`(referer: String?, next: String) async throws {
        let client = try await AuthSite().visitor()
        var headers = Self.browser
        headers[.referer] = referer
        let response = try await client.post("/sessions/end", headers: headers)
        #expect(response.headers[.location] == "/login?" + Form([("next", next)]).urlEncoded)
    }

    /// Paths that would lead a browser to another site.
    static let tricks = [
        "https://evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example",
        "\\/evil.example", "/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example",
        "javascript:alert(1)", "data:text/html,x", "http:/evil.example", "https:evil.example",
        "//evil.example@localhost", "//localhost@evil.example", "/\u{0}/evil.example",
        "/\r\nLocation: https://evil.example", "/me\r\nSet-Cookie: a=b",
        "evil.example", "me", "", ".", "//", "/\\/evil.example", "//\\evil.example", "http://localhost/me", "/\u{7F}",
        "/" + String(repeating: "x", count: 2048),
    ]

    @Test(arguments: tricks)
    func `next never leads to another site`(next: String) async throws {
        let site = try await AuthSite()
        let form: Form = ["email": AuthSite.ann, "password": AuthSite.password, "next": next]
        #expect(try await site.visitor().post("/login", form: form).headers[.location] == "/me")
    }

    @Test(arguments: ["/me", "/me?a=//evil.example", "/me/https://evil.example", "/me#x", "/%2F%2Fevil.example"])
    func `next leads to a path of this site`(next: String) async throws {
        let site = try await AuthSite()
        let form: Form = ["email": AuthSite.ann, "password": AuthSite.password, "next": next]
        #expect(try await site.visitor().post("/login", form: form).headers[.location] == next)
    }

    @Test(arguments: Keeping.allCases)
    func `a predicate decides which accounts may, and others get 403`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        try await site.auth.addAccount(
            email: "eve@example.com", password: "battery staple", roles: ["admin", "editor"])
        #expect(try await site.visitor().get("/admin").status == .unauthorized)
        #expect(try await site.member().get("/admin").status == .forbidden)
        let eve = site.visitor()
        _ = try await site.signIn(eve, email: "eve@example.com", password: "battery staple")
        #expect(try await eve.get("/admin").text == "welcome")
    }

    // MARK: API tokens

    private static func call(_ site: AuthSite, _ token: String) async throws -> WireClient.Response {
        try await site.visitor().post("/nests", headers: [.authorization: "Bearer \(token)"])
    }

    @Test(arguments: Keeping.allCases)
    func `a token speaks for its account within its scopes, until it expires or is revoked`(keeping: Keeping)
        async throws
    {
        let site = try await AuthSite(keeping)
        let (text, token) = try await site.auth.makeToken(
            email: AuthSite.ann, name: "deploy", scopes: ["nests:write", "nests:read"], lifetime: .seconds(3600))
        #expect(try await Self.call(site, text).text == AuthSite.ann)
        await site.settle()
        #expect(try await site.auth.tokens.tokens(of: 1).first?.used == site.auth.time.secondsSince1970())
        let elsewhere = try await site.visitor().get("/me", headers: [.authorization: "Bearer \(text)"])
        #expect(elsewhere.status == .unauthorized)
        site.time.pass(3599)
        #expect(try await Self.call(site, text).status == .ok)
        site.time.pass(1)
        #expect(try await Self.call(site, text).status == .unauthorized)
        site.time.pass(-3600)
        #expect(try await site.auth.revokeToken(token.id))
        #expect(try await !site.auth.revokeToken(token.id))
        let refused = try await Self.call(site, text)
        #expect(refused.status == .unauthorized)
        #expect(refused.headers[.wwwAuthenticate] == "Bearer realm=\"Roost\", error=\"invalid_token\"")
        #expect(try await site.events().suffix(2) == ["token made", "token revoked"])
    }

    @Test func `what a token opens is for no shared cache`() async throws {
        let site = try await AuthSite()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        #expect(try await Self.call(site, text).headers[.cacheControl] == "private")
    }

    @Test(arguments: Keeping.allCases)
    func `a token need not expire`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (text, token) = try await site.auth.makeToken(
            email: AuthSite.ann, name: "deploy", scopes: ["nests:write"], lifetime: .seconds(Int64.max))
        #expect(token.expires == .max)
        #expect(try await Self.call(site, text).text == AuthSite.ann)
    }

    @Test(arguments: Keeping.allCases)
    func `a scope is one word, so that a token has no more than it was given`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        for scope in ["", "nests:read nests:write", "a\tb", "a\u{7F}", "a\"b", "a\\b", "n\u{E4}he"] {
            await #expect(throws: AccountError.notAScope(scope)) {
                _ = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: [scope])
            }
        }
        #expect(try await site.auth.tokens.tokens(of: nil).isEmpty)
        let scopes: Set = ["nests:read", "!#[]~"]
        _ = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: scopes)
        #expect(try await site.auth.tokens.tokens(of: nil).map(\.scopes) == [scopes])
    }

    @Test(arguments: Keeping.allCases)
    func `a valid token is listed, however many newer ones are expired or revoked`(keeping: Keeping) async throws {
        let store: any TokenStore = try await keeping.database().map { SQLTokens($0) } ?? MemoryTokens()
        let valid = try await store.add(hash: "valid", account: 1, name: "x", scopes: [], made: 1, expires: 9)
        for number in 0..<APIToken.maximumListed {
            let isRevoked = number.isMultiple(of: 2)
            let token = try await store.add(
                hash: "\(number)", account: 1, name: "x", scopes: [], made: 1, expires: isRevoked ? 9 : 2)
            if isRevoked { _ = try await store.revoke(token.id) }
        }
        for account in [nil, 1] {
            let listed = try await store.tokens(of: account)
            #expect(listed.last == valid)
            #expect(listed.map(\.id) == listed.map(\.id).sorted(by: >))
            #expect(keeping == .memory || listed.count == APIToken.maximumListed)
        }
    }

    @Test(arguments: Keeping.allCases)
    func `the use of a token is noted anew when the clock was ahead`(keeping: Keeping) async throws {
        let site = try await AuthSite(keeping)
        let (text, _) = try await site.auth.makeToken(
            email: AuthSite.ann, name: "deploy", scopes: ["nests:write"], lifetime: .hours(24))
        site.time.pass(7200)
        for _ in 0..<2 {
            #expect(try await Self.call(site, text).status == .ok)
            await site.settle()
            #expect(try await site.auth.tokens.tokens(of: 1).first?.used == site.auth.time.secondsSince1970())
            site.time.pass(-7200)
        }
    }

    @Test func `a token works whatever number its last use is, as in a damaged database`() async throws {
        let site = try await AuthSite()
        let (text, token) = try await site.auth.makeToken(
            email: AuthSite.ann, name: "deploy", scopes: ["nests:write"], lifetime: .hours(24))
        try await site.auth.tokens.noteUse(of: token.id, at: .min)
        #expect(try await Self.call(site, text).status == .ok)
    }

    @Test(arguments: Keeping.allCases.filter { $0 != .memory })
    func `nobody waits until the use of a token is written`(keeping: Keeping) async throws {
        let database = try #require(try await keeping.database())
        let store = SQLTokens(database)
        let ann = try await SQLAccounts(database).add(
            EmailAddress(trimming: AuthSite.ann), passwordHash: "a", roles: [])
        let token = try await store.add(hash: "h", account: ann.id, name: "n", scopes: [], made: 1, expires: 9)
        try await database.transaction { transaction in
            try await transaction.execute("UPDATE api_tokens SET name = 'm'")
            for time in 2...5 { store.noteUse(of: token.id, at: time) }
        }
        await store.bookkeeping.settle()
        #expect(try await store.token(hash: "h")?.used == 5)
    }

    @Test func `a token that the guard around lets pass does not pass one that takes no tokens`() async throws {
        let site = try await AuthSite()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "read", scopes: ["nests:read"])
        let token: Headers = [.authorization: "Bearer \(text)"]
        #expect(try await site.visitor().get("/nests/people", headers: token).status == .unauthorized)
        let member = try await site.member()
        #expect(try await member.get("/nests/people").text == AuthSite.ann)
    }

    @Test func `an API for tokens alone, which keeps no sessions, asks for a token`() async throws {
        let site = try await AuthSite()
        let auth = site.auth
        let middleware: [any Middleware] = [ErrorPages(logger: .current, explains: false)]
        let client = TestClient(
            try Application(logger: .current, middleware: middleware) { routes in AuthSite.declare(routes, auth) })
        for headers in [[:], Self.browser] {
            let refused = try await client.post("/nests", headers: headers)
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[values: .wwwAuthenticate] == ["Bearer realm=\"Roost\""])
        }
        let (text, _) = try await auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        #expect(try await client.post("/nests", headers: [.authorization: "Bearer \(text)"]).text == AuthSite.ann)
        // A guard that takes no tokens is a mistake there.
        #expect(try await client.get("/me").status == .internalServerError)
    }

    @Test func `a token without the scope is told which it lacks`() async throws {
        let site = try await AuthSite()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "read", scopes: ["nests:read"])
        let refused = try await Self.call(site, text)
        #expect(refused.status == .forbidden)
        #expect(
            refused.headers[.wwwAuthenticate]
                == "Bearer realm=\"Roost\", error=\"insufficient_scope\", scope=\"nests:write\"")
    }

    @Test func `a disabled account's tokens are refused, and a session does not help a wrong token`() async throws {
        let site = try await AuthSite()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        let member = try await site.member()
        #expect(try await member.post("/nests").text == AuthSite.ann)
        for wrong in ["Bearer x", "Bearer", "bearer ", "BEARER   "] {
            #expect(try await member.post("/nests", headers: [.authorization: wrong]).status == .unauthorized)
        }
        // Another scheme is meant for somebody else, such as a proxy that asks for a password.
        #expect(try await member.post("/nests", headers: [.authorization: "Basic eDp5"]).text == AuthSite.ann)
        try await site.auth.setDisabled(true, email: AuthSite.ann)
        #expect(try await Self.call(site, text).status == .unauthorized)
        let challenges = try await site.visitor().post("/nests").headers[values: .wwwAuthenticate]
        #expect(challenges == ["Cookie realm=\"Roost\", form-action=\"/login\"", "Bearer realm=\"Roost\""])
    }

    @Test(arguments: ["Bearer x", "bearer x", "Bearer", "Bearer "])
    func `a session does not help a wrong token where no token passes, either`(field: String) async throws {
        let site = try await AuthSite()
        let member = try await site.member()
        for path in ["/me", "/nests"] {
            let method: HTTPRequest.Method = path == "/me" ? .get : .post
            let refused = try await member.request(method, path, headers: [.authorization: field])
            #expect(refused.status == .unauthorized)
            #expect(refused.headers[.wwwAuthenticate] == "Bearer realm=\"Roost\", error=\"invalid_token\"")
        }
    }

    @Test func `a session counts beside a token where no token passes, and beside another scheme`() async throws {
        let site = try await AuthSite()
        let member = try await site.member()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        #expect(try await member.get("/me", headers: [.authorization: "Bearer \(text)"]).status == .ok)
        #expect(try await member.get("/me", headers: [.authorization: "Basic YTpi"]).status == .ok)
    }

    @Test func `a token where no token passes is told so, and whoever has none how to sign in`() async throws {
        let site = try await AuthSite()
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: ["nests:write"])
        let refused = try await site.visitor().get("/me", headers: [.authorization: "Bearer \(text)"])
        #expect(refused.status == .unauthorized)
        #expect(refused.headers[values: .wwwAuthenticate] == ["Cookie realm=\"Roost\", form-action=\"/login\""])
        #expect(
            refused.text.contains("This route takes no API tokens: POST an email and a password to /login."),
            "\(refused.text)")
        let stranger = try await site.visitor().get("/me").text
        #expect(stranger.contains("Sign in first: POST an email and a password to /login."))
    }

    @Test func `a token has a prefix and a checksum, and is kept only as a hash`() async throws {
        let site = try await AuthSite(.sqlite)
        let (text, _) = try await site.auth.makeToken(email: AuthSite.ann, name: "x", scopes: [])
        #expect(text.hasPrefix("roost_"))
        #expect(text.utf8.count == 42)
        #expect(try await site.auth.tokens.token(hash: text) == nil)
        for index in 6..<42 {
            var changed = Array(text.utf8)
            changed[index] = changed[index] == UInt8(ascii: "a") ? UInt8(ascii: "b") : UInt8(ascii: "a")
            #expect(TokenText(String(decoding: changed, as: UTF8.self), prefix: "roost") == nil)
        }
        #expect(TokenText(text, prefix: "roost") != nil)
        let others = ["", "roost_", text + "a", String(text.dropLast()), "ghp_" + text.dropFirst(6)]
        for other in others + [text.uppercased()] {
            #expect(TokenText(other, prefix: "roost") == nil)
        }
    }

    /// As Python's `zlib.crc32` has it.
    @Test func `the checksum is CRC-32 in base 62`() {
        let body = "roost_000000000000000000000000000000"
        #expect(TokenText(body + "4N1wQM", prefix: "roost") != nil)
    }
}
