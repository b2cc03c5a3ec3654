import Processes
import Roost
import RoostSQL
import Synchronization
import Testing

@testable import RoostAuth

/// The contract of every store of accounts.
@Suite("Accounts", .timeLimit(.minutes(5)))
struct AccountStoreTests {
    private static func store(_ keeping: Keeping) async throws -> any AccountStore {
        try await keeping.database().map { SQLAccounts($0) } ?? MemoryAccounts()
    }

    @Test(arguments: Keeping.allCases)
    func `accounts are added, found in any case, changed and listed`(keeping: Keeping) async throws {
        let store = try await Self.store(keeping)
        let ann = try await store.add(
            EmailAddress(trimming: " Ann@Example.com\n"), passwordHash: "a", roles: ["editor", "admin"])
        let bob = try await store.add(EmailAddress(trimming: "bob@example.com"), passwordHash: "b", roles: [])
        #expect(ann.email == "Ann@Example.com")
        #expect(ann.id != bob.id && !ann.isDisabled)
        let found = try await store.account(email: EmailAddress(trimming: "ANN@example.com"))
        #expect(found == StoredAccount(account: ann, passwordHash: "a"))
        #expect(found?.account.roles == ["admin", "editor"])
        #expect(try await store.account(id: bob.id)?.passwordHash == "b")
        #expect(try await store.account(id: 99) == nil)
        #expect(try await store.account(email: EmailAddress(trimming: "eve@example.com")) == nil)
        try await store.setPasswordHash("c", of: ann.id)
        try await store.setDisabled(true, of: ann.id)
        #expect(try await store.account(id: ann.id)?.passwordHash == "c")
        #expect(try await store.all().map(\.isDisabled) == [true, false])
        try await store.setDisabled(false, of: ann.id)
        #expect(try await store.account(id: ann.id)?.account == ann)
    }

    @Test(arguments: Keeping.allCases)
    func `a hash is replaced only if it is still the same, and its account is enabled`(keeping: Keeping) async throws {
        let store = try await Self.store(keeping)
        let ann = try await store.add(EmailAddress(trimming: "ann@example.com"), passwordHash: "a", roles: [])
        #expect(try await store.replacePasswordHash("a", with: "b", of: ann.id))
        #expect(try await !store.replacePasswordHash("a", with: "c", of: ann.id))
        #expect(try await !store.replacePasswordHash("b", with: "c", of: 99))
        #expect(try await store.account(id: ann.id)?.passwordHash == "b")
        try await store.setDisabled(true, of: ann.id)
        #expect(try await !store.replacePasswordHash("b", with: "c", of: ann.id))
        #expect(try await store.account(id: ann.id)?.passwordHash == "b")
    }

    @Test(arguments: Keeping.allCases)
    func `an address has one account`(keeping: Keeping) async throws {
        let store = try await Self.store(keeping)
        _ = try await store.add(EmailAddress(trimming: "ann@example.com"), passwordHash: "a", roles: [])
        await #expect(throws: AccountError.exists("ANN@example.com")) {
            try await store.add(EmailAddress(trimming: "ANN@example.com"), passwordHash: "b", roles: [])
        }
    }

    /// One `é` is a character, the other two.
    @Test(arguments: Keeping.allCases)
    func `addresses of different bytes are different, though Unicode takes them for equal`(keeping: Keeping)
        async throws
    {
        let store = try await Self.store(keeping)
        let one = EmailAddress(trimming: "\u{E9}@example.com")
        let other = EmailAddress(trimming: "e\u{301}@example.com")
        #expect(one.key == other.key)
        let ann = try await store.add(one, passwordHash: "a", roles: [])
        #expect(try await store.account(email: other) == nil)
        let eve = try await store.add(other, passwordHash: "b", roles: [])
        #expect(try await store.account(email: one)?.account.id == ann.id)
        #expect(try await store.account(email: other)?.account.id == eve.id)
    }

    @Test(arguments: Keeping.allCases)
    func `what is no address is no account`(keeping: Keeping) async throws {
        let store = try await Self.store(keeping)
        let long = String(repeating: "a", count: 254) + "@b"
        for text in ["", "ann", "@example.com", "ann@", "a@b@c", "a b@c", "a\u{0}@b", long] {
            let email = EmailAddress(trimming: text)
            await #expect(throws: AccountError.notAnAddress(email.text)) {
                try await store.add(email, passwordHash: "a", roles: [])
            }
            #expect(try await store.account(email: email) == nil)
        }
    }

    @Test(arguments: [" ", "\t", "\u{A0}", "\u{85}", "\u{2003}", "\u{3000}"])
    func `white space of any kind is removed around an address, and refused within it`(blank: String) {
        for text in ["ann@example.com", "\u{E9}@\u{E9}"] {
            let email = EmailAddress(trimming: blank + text + blank + blank)
            #expect(Array(email.text.utf8) == Array(text.utf8))
            #expect(email.isPlausible)
        }
        #expect(!EmailAddress(trimming: "a\(blank)b@c").isPlausible)
        #expect(EmailAddress(trimming: blank).text.isEmpty)
    }

    @Test func `a control character is in no address`() {
        for control in ["\u{1B}", "\u{7F}", "\u{80}", "\u{9B}", "\u{9F}"] {
            #expect(!EmailAddress(trimming: "a\(control)b@c").isPlausible)
            #expect(!EmailAddress(trimming: "a@b\(control)").isPlausible)
        }
    }

    /// A zero width space, a right-to-left override, a byte order mark, a soft hyphen, a filler, a joiner of graphemes
    /// and a variation selector.
    @Test(arguments: Keeping.allCases)
    func `an invisible character is in no new address`(keeping: Keeping) async throws {
        let store = try await Self.store(keeping)
        for invisible in ["\u{200B}", "\u{202E}", "\u{FEFF}", "\u{AD}", "\u{3164}", "\u{34F}", "\u{FE0F}"] {
            let email = EmailAddress(trimming: "a\(invisible)b@example.com")
            await #expect(throws: AccountError.notAnAddress(email.text)) {
                try await store.add(email, passwordHash: "a", roles: [])
            }
            // Whoever has such an address already can still sign in.
            #expect(email.isPlausible)
        }
    }

    @Test func `the error for an address shows the characters that are not shown`() {
        let error = AccountError.notAnAddress("a\u{200B}b\u{FE0F}@example.com")
        let message = #""a\u{200b}b\u{fe0f}@example.com" is not an email address."#
        #expect(error.description == message)
        #expect(error.httpError?.message == message)
    }

    @Test func `of a text that is too long for an address, only so much is kept`() {
        for text in [String(repeating: "a", count: 1_000_000), "a@b" + String(repeating: "\u{300}", count: 500_000)] {
            let email = EmailAddress(trimming: "  \(text) ")
            #expect(email.text.utf8.count > EmailAddress.maximumLength && email.text.utf8.count < 260)
            #expect(!email.isPlausible)
        }
    }

    @Test(arguments: Keeping.allCases)
    func `the last events of some kinds are found, however many others there are`(keeping: Keeping) async throws {
        let log: any AuditLog = try await keeping.database().map { SQLAuditLog($0) } ?? MemoryAuditLog()
        for second in 0..<3 { try await log.record(AuditEvent(.signedIn, account: 1, time: second)) }
        for second in 3..<30 { try await log.record(AuditEvent(.signInFailed, account: 1, time: second)) }
        try await log.record(AuditEvent(.signedOut, account: 2, time: 30))
        try await log.record(AuditEvent(.tokenMade, account: 1, time: 29))
        let found = { (kinds: Set<AuditEvent.Kind>) in
            try await log.events(of: 1, kinds: kinds, limit: 2).map(\.time)
        }
        #expect(try await found([.signedIn, .signedOut]) == [2, 1])
        #expect(try await found([.signInFailed]) == [29, 28])
        #expect(try await found([.signedOut]) == [])
        #expect(try await found([]) == [])
        let merged = try await log.events(of: 1, kinds: [.tokenMade, .signInFailed, .signedIn], limit: 2)
        #expect(merged.map(\.kind) == [.tokenMade, .signInFailed] && merged.map(\.time) == [29, 29])
    }

    @Test(arguments: Keeping.allCases)
    func `an event of no account is written like any other, and does not stay`(keeping: Keeping) async throws {
        guard let database = try await keeping.database() else { return }
        if keeping == .sqlite {
            try await database.execute("CREATE TABLE written (account BIGINT)")
            try await database.execute(
                """
                CREATE TRIGGER noted AFTER INSERT ON audit_log
                BEGIN INSERT INTO written VALUES (new.account); END
                """)
        }
        let told = Mutex([Int?]())
        let log = SQLAuditLog(database) { event in told.withLock { $0.append(event.account) } }
        for account in [1, nil, 2] { try await log.record(AuditEvent(.signInFailed, account: account, time: 1)) }
        #expect(told.withLock { $0 } == [1, nil, 2])
        #expect(try await database.first("SELECT count(*) FROM audit_log", as: Int.self) == 2)
        if keeping == .sqlite {
            #expect(try await database.first("SELECT count(*) FROM written", as: Int.self) == 3)
        }
    }

    /// Two removals conflict where the role's transactions are serializable.
    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `an event is kept if the removal of old ones conflicts with another transaction`() async throws {
        let database = try #require(try await Keeping.postgresql.database())
        try await database.execute(
            """
            CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN IF nextval(''removals'') % 2 = 1 THEN RAISE SQLSTATE ''40001''; END IF; RETURN NULL; END'
            """)
        try await database.execute("CREATE SEQUENCE removals")
        try await database.execute("CREATE TRIGGER conflict BEFORE DELETE ON audit_log EXECUTE FUNCTION conflict()")
        let log = SQLAuditLog(database)
        try await log.record(AuditEvent(.signedIn, account: 1, time: 7))
        #expect(try await log.events(of: 1, limit: 2).map(\.time) == [7])
        // Nobody can look up an event without an account, so it does not stay.
        try await log.record(AuditEvent(.signInFailed, account: nil, time: 8))
        #expect(try await database.first("SELECT count(*) FROM audit_log", as: Int.self) == 1)
        await database.stop()
    }

    @Test func `the log keeps events for a time, and forgets them bit by bit`() async throws {
        let database = try #require(try await Keeping.sqlite.database())
        let log = SQLAuditLog(database, retention: .seconds(100))
        for second in 0..<30 { try await log.record(AuditEvent(.signedIn, account: 1, time: second)) }
        #expect(try await log.events(of: 1, limit: 2).map(\.time) == [29, 28])
        for second in 0..<3 { try await log.record(AuditEvent(.signedOut, account: 2, time: 1000 + second)) }
        #expect(try await log.events(of: 1, limit: 100).isEmpty)
        #expect(try await log.events(of: 2, limit: 100).count == 3)
    }
}
