import Logging
import Roost
import RoostAuth
import RoostSQL

/// The accounts of a site that only its author sees: those that are stored, and the one that the site's own pages show.
/// That one is never stored, so any other site cannot find it in a database that development has used, and ends its
/// sessions there (``DemoSessions``).
final class DemoAccounts: AccountStore {
    static let email = "test@example.com"
    /// The only password that is exempt from the policy.
    static let password = "123456"
    private static let passwordHash =
        "$argon2id$v=19$m=19456,t=2,p=1$26e3MusOj/lNRfbVLunCDA$Bd6x4e3ZpBpSNjByJ9Ll9/06hFqZU4HdmOQTXiVbQUM"
    /// No stored account has this number.
    fileprivate static let id = 0

    private let stored: any AccountStore
    private let demo = MemoryAccounts([
        StoredAccount(account: Account(id: DemoAccounts.id, email: email), passwordHash: passwordHash)
    ])

    init(_ stored: any AccountStore) { self.stored = stored }

    private func store(of id: Int) -> any AccountStore { id == Self.id ? demo : stored }

    /// The store of an account that a command changes. What it did to the one in memory would end with the command.
    private func store(ofChanged id: Int) throws(StartError) -> any AccountStore {
        guard id != Self.id else {
            throw .configuration("\(Self.email) is not in the database, so no command can change it.")
        }
        return stored
    }

    func account(email: EmailAddress) async throws -> StoredAccount? {
        if let account = demo.account(email: email) { return account }
        return try await stored.account(email: email)
    }

    func account(id: Int) async throws -> StoredAccount? { try await store(of: id).account(id: id) }

    func all() async throws -> [Account] { demo.all() + (try await stored.all()) }

    func add(_ email: EmailAddress, passwordHash: String, roles: Set<String>) async throws -> Account {
        guard demo.account(email: email) == nil else { throw AccountError.exists(email.text) }
        return try await stored.add(email, passwordHash: passwordHash, roles: roles)
    }

    func add(
        _ email: EmailAddress, passwordHash: String, roles: Set<String>,
        also body: (Account, Transaction) async throws -> Void
    ) async throws -> Account {
        guard demo.account(email: email) == nil else { throw AccountError.exists(email.text) }
        return try await stored.add(email, passwordHash: passwordHash, roles: roles, also: body)
    }

    func setPasswordHash(_ hash: String, of id: Int) async throws {
        try await store(ofChanged: id).setPasswordHash(hash, of: id)
    }

    func replacePasswordHash(_ old: String, with new: String, of id: Int) async throws -> Bool {
        try await store(of: id).replacePasswordHash(old, with: new, of: id)
    }

    func setDisabled(_ isDisabled: Bool, of id: Int) async throws {
        try await store(ofChanged: id).setDisabled(isDisabled, of: id)
    }

    func setRoles(_ roles: Set<String>, of id: Int) async throws {
        try await store(ofChanged: id).setRoles(roles, of: id)
    }
}

/// A service that ends the sessions of the demo account, where the site has none and the database may have some. Nobody
/// else could: no stored account is their owner.
struct DemoSessions: Service {
    let sessions: any OwnedSessionStore
    let logger: Logger

    func start() async {
        let owner = "\(DemoAccounts.id)"
        do {
            // Usually there is nothing to write.
            guard try await !sessions.sessions(of: owner).isEmpty else { return }
            try await sessions.endAll(of: owner, except: nil)
        } catch {
            logger.warning("The sessions of the demo account may go on: \(error)")
        }
    }

    func stop() async {}
}
