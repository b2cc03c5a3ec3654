import Glibc
import HTTPTypes
import Roost
import RoostAuth
import RoostTesting
import Synchronization
import Testing

@Suite("Passwords", .quietLog, .timeLimit(.minutes(5)))
struct PasswordTests {
    private static let cheap = Argon2id(memory: 8, passes: 1)

    @Test func `the default is argon2id with 19 MiB and two passes`() throws {
        let hash = try Argon2id().hash("correct horse")
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(Argon2id().verify("correct horse", against: hash))
        #expect(!Argon2id().verify("correct hors", against: hash))
        #expect(try Argon2id().hash("correct horse") != hash)
    }

    /// Made by the reference program: `echo -n password | argon2 somesalt -id -t 2 -k 65536 -p 4`.
    @Test func `hashes of other programs are understood`() {
        let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
        #expect(Argon2id().verify("password", against: hash))
        #expect(!Argon2id().verify("Password", against: hash))
    }

    /// Spaces, NUL, and characters that look alike are part of a password.
    @Test(arguments: [
        ("pass word", "pass word ", false), ("p\u{0}assword", "p", false), ("p\u{0}assword", "p\u{0}assword", true),
        ("caf\u{E9}-caf\u{E9}", "cafe\u{301}-cafe\u{301}", false), ("Passwort", "passwort", false), ("", "", true),
        (String(repeating: "a", count: 1024), String(repeating: "a", count: 1023), false),
        (String(repeating: "🪺", count: 1024), String(repeating: "🪺", count: 1024), true),
    ])
    func `every byte counts`(one: String, other: String, isSame: Bool) throws {
        let hash = try Self.cheap.hash(one)
        #expect(Self.cheap.verify(other, against: hash) == isSame)
    }

    @Test(arguments: [
        "", "$", "password", "$argon2id$v=19$m=8,t=1,p=1$", "$argon2id$v=19$m=8,t=1,p=1$AAAA$AAAA",
        "$argon2id$v=19$m=99999999999,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        String(repeating: "$argon2id", count: 100),
    ])
    func `a damaged hash is that of no password`(hash: String) {
        #expect(!Self.cheap.verify("", against: hash))
        #expect(!Self.cheap.verify("password", against: hash))
        #expect(Self.cheap.isOutdated(hash) || hash.contains("m=8") || hash.contains("m=9"))
    }

    @Test(arguments: [
        (8, 1, false), (16, 1, true), (8, 2, true), (16, 2, true),
    ])
    func `a hash is outdated when parameters have risen`(memory: Int, passes: Int, isOutdated: Bool) throws {
        let hash = try Self.cheap.hash("correct horse")
        #expect(Argon2id(memory: memory, passes: passes).isOutdated(hash) == isOutdated)
        #expect(!Self.cheap.isOutdated(try Argon2id(memory: memory, passes: passes).hash("correct horse")))
    }

    @Test func `a right password with an outdated hash gets a new one, a wrong one does not`() async throws {
        let function = CountingFunction(memory: 16)
        let passwords = Passwords(function)
        let old = try Self.cheap.hash("correct horse")
        #expect(try await passwords.compare("wrong horse", with: old) == .different)
        #expect(function.hashes == 0)
        guard case .outdated(let new) = try await passwords.compare("correct horse", with: old) else {
            Issue.record("not outdated")
            return
        }
        #expect(function.hashes == 1)
        #expect(new.hasPrefix("$argon2id$v=19$m=16,"))
        #expect(try await passwords.compare("correct horse", with: new) == .same)
    }

    @Test func `without a hash, to say no takes as much work`() async throws {
        let function = CountingFunction(memory: 16, passes: 2)
        let passwords = Passwords(function)
        let hash = try await passwords.hash("correct horse")
        for password in ["correct horse", "wrong horse", "", String(repeating: "x", count: 5000)] {
            _ = try await passwords.compare(password, with: hash)
            #expect(try await passwords.compare(password, with: nil) == .different)
        }
        #expect(Set(function.comparisons) == ["argon2id$v=19$m=16,t=2,p=1"])
        #expect(function.comparisons.count == 8)
        #expect(function.hashes == 1)
    }

    @Test(arguments: [(8, 1), (8, 2), (16, 1), (24, 2), (64, 3), (100, 1), (48, 4), (192, 1)])
    func `to say no takes as much work with an old hash as without one`(memory: Int, passes: Int) async throws {
        let old = try Argon2id(memory: memory, passes: passes).hash("correct horse")
        for hash in [old, nil, "damaged"] {
            let function = CountingFunction(memory: 64, passes: 3)
            #expect(try await Passwords(function).compare("wrong horse", with: hash) == .different)
            // A damaged hash costs nothing itself; the division of what is missing may lose a pass over a KiB.
            #expect((192 - 3...192).contains(function.work), "\(function.comparisons)")
        }
        #expect(
            Argon2id(memory: 64, passes: 3).decoy(beside: "$argon2id$v=19$m=9223372036854775807,t=9,p=1$a$b") == nil)
    }

    /// A function that has no memory.
    private struct Starved: PasswordFunction {
        func hash(_ password: String) throws -> String { throw CancellationError() }
        func verify(_ password: String, against hash: String) -> Bool {
            errno = ENOMEM
            return false
        }
        func isOutdated(_ hash: String) -> Bool { false }
        func decoy(beside hash: String?) -> String? { hash == nil ? "decoy" : nil }
    }

    @Test(arguments: ["hash", nil])
    func `without memory no password is called wrong, whether or not the account exists`(hash: String?) async throws {
        let passwords = Passwords(Starved())
        let error = await #expect(throws: (any Error).self) { try await passwords.compare("correct horse", with: hash) }
        #expect(error.map { "\($0)" }?.contains("too little memory") == true)
    }

    @Test func `a wrong password is called wrong, whatever the system said before`() throws {
        let hash = try Self.cheap.hash("correct horse")
        errno = ENOMEM
        let (isSame, code) = (Self.cheap.verify("wrong horse", against: hash), errno)
        #expect(!isSame && code != ENOMEM)
    }

    @Test func `a comparison that has no memory says so`() {
        let (salt, digest) = (String(repeating: "A", count: 22), String(repeating: "A", count: 43))
        // More than there are addresses.
        let hash = "$argon2id$v=19$m=999999999999,t=1,p=1$\(salt)$\(digest)"
        errno = 0
        let (isSame, code) = (Self.cheap.verify("correct horse", against: hash), errno)
        #expect(!isSame && code == ENOMEM)
    }

    @Test(arguments: [0, -1])
    func `one is compared at a time at least, however few are asked for`(threads: Int) async throws {
        let passwords = Passwords(CountingFunction(), threads: threads, maximumQueue: 0)
        #expect(try await passwords.compare("correct horse", with: nil) == .different)
    }

    /// As another program may leave it, with numbers that would take days.
    @Test(arguments: ["m=8,t=2097153", "m=16777217,t=1", "m=9223372036854775807,t=9"])
    func `a hash that asks for far too much work counts as none, and the log names its account`(
        cost: String
    ) async throws {
        let log = LogLines()
        let site = try await withLogger(log.logger) { _ in try await AuthSite() }
        let old = try #require(try await site.auth.accounts.account(id: 1)).passwordHash
        let (salt, end) = (String(repeating: "A", count: 22), String(repeating: "A", count: 43))
        let hash = "$argon2id$v=19$\(cost),p=1$\(salt)$\(end)"
        #expect(try await site.auth.accounts.replacePasswordHash(old, with: hash, of: 1))
        let made = site.function.comparisons.count
        #expect(try await site.signIn(site.visitor()).status == .unauthorized)
        #expect(site.function.comparisons.dropFirst(made) == ["argon2id$v=19$m=8,t=1,p=1"])
        #expect(log.all.count { $0.hasPrefix("The account 1 cannot sign in: its password hash asks for ") } == 1)
    }

    // MARK: Which passwords are allowed

    static let refused: [(String, InvalidPassword)] = [
        ("", .tooShort(8)), ("1234567", .tooShort(8)), ("🪺🪺🪺🪺🪺🪺🪺", .tooShort(8)),
        ("password", .common), ("PASSWORD", .common), ("Password1", .common), ("12345678", .common),
        ("trustno1", .common), (String(repeating: "a", count: 1025), .tooLong(1024)),
    ]

    @Test(arguments: refused)
    func `a short, common or enormous password is refused`(password: String, error: InvalidPassword) async throws {
        let function = CountingFunction()
        await #expect(throws: error) { try await Passwords(function).hash(password) }
        #expect(function.hashes == 0)
    }

    @Test(arguments: ["Ann.Smith@example.com", "ann.smith@EXAMPLE.com", "ANN.SMITH", " ann.smith@example.com "])
    func `its own address is refused`(password: String) async throws {
        let site = try await AuthSite()
        let email = "Ann.Smith@example.com"
        await #expect(throws: InvalidPassword.self) { try await site.auth.addAccount(email: email, password: password) }
        try await site.auth.addAccount(email: email, password: AuthSite.password)
        await #expect(throws: InvalidPassword.self) { try await site.auth.setPassword(password, email: email) }
        let client = site.visitor()
        _ = try await site.signIn(client, email: email)
        let refused = try await client.post("/password", json: ["current": AuthSite.password, "new": password])
        #expect(refused.status == .unprocessableContent)
        try await site.auth.setPassword("ann.smith@example.org", email: email)
    }

    @Test(arguments: [
        "aaaaaaaa", "        ", "correct horse battery staple", "🪺🪺🪺🪺🪺🪺🪺🪺", "x password",
        String(repeating: "é", count: 1024),
    ])
    func `what it is made of does not matter`(password: String) async throws {
        _ = try await Passwords(CountingFunction()).hash(password)
    }

    @Test func `an application can ask for longer ones, not for shorter ones`() async throws {
        #expect(PasswordPolicy(minimumLength: 1).minimumLength == 8)
        let passwords = Passwords(CountingFunction(), policy: PasswordPolicy(minimumLength: 15))
        await #expect(throws: InvalidPassword.tooShort(15)) { try await passwords.hash("fourteen chars") }
    }

    // MARK: Off the loops

    @Test func `few are hashed at a time, some wait, and the rest is refused`() async throws {
        let gate = GateFunction()
        let passwords = Passwords(gate, threads: 1, maximumQueue: 2)
        let application = try Application(middleware: [ErrorPages(explains: false)]) { routes in
            routes.get(Path("/")) { _ in "\(try await passwords.compare("x", with: "") == .same)" }
            routes.get(Path("/other")) { _ in "other" }
        }
        let client = TestClient(application)
        // One is at work, two wait, and two too many are refused: these are the first to be answered.
        let statuses = try await withThrowingTaskGroup(of: WireClient.Response.self) { group in
            for _ in 0..<5 { group.addTask { try await client.get("/") } }
            var statuses: [HTTPResponse.Status] = []
            for try await response in group {
                statuses.append(response.status)
                if response.status == .serviceUnavailable { #expect(response.headers[.retryAfter] == "2") }
                if statuses.count == 2 {
                    #expect(try await client.get("/other").text == "other")
                    gate.open()
                }
            }
            return statuses
        }
        #expect(statuses == [.serviceUnavailable, .serviceUnavailable, .ok, .ok, .ok])
        #expect(gate.most == 1)
    }
}
