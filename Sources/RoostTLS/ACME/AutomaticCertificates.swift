import FoundationEssentials
import Glibc
import Logging
import Roost
import RoostHTTPClient
import Synchronization

// One instance at a time orders, under the storage's lock; all look at the storage now and then, and use what is there.
// Whatever fails is logged and tried again: it never stops the site.

/// A certificate that a program orders, keeps and renews itself: what is behind `TLS=auto`, and behind the command
/// `certificates`.
public final class AutomaticCertificates: Sendable {
    let settings: ACMESettings
    let storage: any CertificateStorage
    let proofs: Proofs
    let http: HTTPClient
    let logger: Logger
    let now: @Sendable () -> Int
    /// Uses a new certificate.
    let use: @Sendable (CertificatePair) throws -> Void
    let state = Mutex(State())

    struct State {
        /// The certificate with its key, in PEM, as it was read last.
        var text: [UInt8] = []
        var facts: CertificateFacts?
        /// The time to renew that the authority suggests.
        var suggestion: Int?
        /// The time to ask it again.
        var nextQuestion = 0
        var tries = FailedTries()
        /// Whether this program has tried: after a start it does at once, whatever happened before, unless the
        /// authority does not want it.
        var hasTried = false
        /// The latest refusal of the storage.
        var complaint = ""
    }

    /// - Parameters:
    ///   - store: What handshakes ask; nil without any.
    ///   - http: The client for the authority.
    ///   - now: The seconds since 1970.
    init(
        _ settings: ACMESettings, _ storage: any CertificateStorage, store: CertificateStore?, http: HTTPClient? = nil,
        logger: Logger, now: @escaping @Sendable () -> Int = { time(nil) }
    ) {
        self.settings = settings
        self.storage = storage
        self.logger = logger
        self.now = now
        self.http = http ?? HTTPClient(certificateAuthorities: settings.authority)
        proofs = Proofs(storage, store, prefix: settings.directoryName)
        use = { pair in try store?.use([pair]) }
    }

    // MARK: Names of texts

    private func name(_ kind: String) -> String { "\(settings.directoryName)-\(kind)" }
    var certificateName: String { name("certificate.pem") }
    var accountName: String { name("account.json") }
    private var triesName: String { name("tries.json") }

    // MARK: What is stored

    /// Reads the certificate, and uses it if it is another one than before.
    func refresh() async throws {
        if let text = try await storage.read(triesName) {
            let tries = try? JSONCoder().decode(FailedTries.self, from: text)
            state.withLock { $0.tries = tries ?? FailedTries() }
        }
        guard let text = try await storage.read(certificateName), text != state.withLock({ $0.text }) else { return }
        let pair = try pair(text)
        try use(pair)
        state.withLock { state in
            (state.text, state.facts) = (text, CertificateFacts(pair))
            (state.suggestion, state.nextQuestion) = (nil, 0)
        }
        let names = settings.hosts.joined(separator: ", ")
        logger.notice("The certificate for \(names) is in use until \(Self.text(CertificateFacts(pair).expires)).")
    }

    func pair(_ text: [UInt8]) throws -> CertificatePair {
        let files = CertificateFiles(certificate: certificateName, key: certificateName)
        return try CertificatePair(certificate: text, key: text, files)
    }

    /// Whether the certificate is for all names of the settings.
    private func isComplete(_ text: [UInt8]) -> Bool {
        (try? pair(text)).map { CertificateFacts.covers(settings.hosts, $0) } ?? false
    }

    /// The time to order: 0 without a certificate for all names.
    var renewal: Int {
        let state = state.withLock { $0 }
        guard let facts = state.facts, isComplete(state.text) else { return 0 }
        let chance = RenewalPlan.chance(state.text)
        return min(state.suggestion ?? .max, RenewalPlan.usual(facts, chance: chance))
    }

    // MARK: Steps

    /// Opens the storage, and uses the certificate that is there.
    /// - Throws: `StartError` for a storage that cannot be used.
    func start() async throws {
        try await storage.open()
        do {
            try await refresh()
        } catch {
            logger.error("The certificate cannot be read: \(LogText.escaped("\(error)"))")
        }
    }

    /// Does what is due, until the task is cancelled.
    func run(on loop: EventLoop) async {
        while !Task.isCancelled {
            let pause = await step()
            guard (try? await loop.sleep(for: pause)) != nil else { return }
        }
    }

    /// Does what is due.
    /// - Returns: The time until the next step.
    func step() async -> Duration {
        do {
            try await refresh()
            await askForRenewal()
            guard renewal <= now(), nextTry <= now() else { return untilNext }
            let isDone: Void? = try await storage.alone { try await orderIfDue() }
            return isDone == nil ? .seconds(2) : untilNext
        } catch {
            let complaint = "\(error)"
            if state.withLock({ $0.complaint != complaint && !Task.isCancelled }) {
                logger.error("The certificates cannot be looked after: \(LogText.escaped(complaint))")
            }
            state.withLock { $0.complaint = complaint }
            return .seconds(10)
        }
    }

    /// A look at the storage a minute, for what other instances and commands have done.
    private var untilNext: Duration {
        let wait = max(renewal, nextTry) - now()
        return .seconds(min(max(wait, 1), 60))
    }

    private var nextTry: Int {
        let (tries, hasTried) = state.withLock { ($0.tries, $0.hasTried) }
        guard hasTried else { return tries.notBefore ?? 0 }
        return tries.next(chance: RenewalPlan.chance(Array("\(tries.time ?? 0)".utf8)))
    }

    /// Another instance may have done it while this one waited.
    private func orderIfDue() async throws {
        try await refresh()
        guard renewal <= now(), nextTry <= now() else { return }
        state.withLock { $0.hasTried = true }
        do {
            try await order()
        } catch {
            try Task.checkCancellation()
            try await noteFailure(error)
        }
    }

    private func noteFailure(_ error: any Error) async throws {
        var tries = state.withLock { $0.tries }
        tries.add(error, now: now())
        state.withLock { $0.tries = tries }
        let minutes = max(1, (nextTry - now() + 30) / 60)
        let names = settings.hosts.joined(separator: ", ")
        let wait = minutes == 1 ? "a minute" : "\(minutes) minutes"
        logger.error("No certificate for \(names): \(error) The next try is in \(wait).")
        try await storage.write(try JSONCoder().encode(tries), as: triesName)
    }

    /// Asks the authority for the time to renew, when that is due. If it does not say, that of the certificate holds.
    private func askForRenewal() async {
        let state = state.withLock { $0 }
        guard let name = state.facts?.renewalName, state.nextQuestion <= now(), isComplete(state.text) else { return }
        var (suggestion, pause) = (state.suggestion, RenewalInfo.usualPause)
        do {
            if let response = try await client(nil).renewalInfo(of: name) {
                let info: RenewalInfo = try response.json()
                pause = RenewalInfo.pause(response, now: now())
                suggestion = RenewalPlan.suggested(info.suggestedWindow, chance: RenewalPlan.chance(state.text))
                if let suggestion, suggestion <= now() {
                    let reason = info.explanationURL.map { " (\(LogText.escaped($0)))" } ?? ""
                    logger.notice("The authority wants the certificate to be renewed now\(reason).")
                }
            }
        } catch {
            logger.debug("The authority does not say when to renew: \(LogText.escaped("\(error)"))")
        }
        self.state.withLock { ($0.suggestion, $0.nextQuestion) = (suggestion, now() + pause) }
    }

    // MARK: Ordering

    /// An account with the authority, as it is stored.
    private struct Account: Codable {
        let key: String
        let url: String?
    }

    private func client(_ account: Account?) throws -> ACMEClient {
        let key = try account.flatMap { P256Key(pem: Array($0.key.utf8)) } ?? P256Key()
        return ACMEClient(
            http, directory: settings.directory, key: AccountKey(key: key), account: account?.url, now: now)
    }

    /// A client with an account, which is made if there is none.
    /// - Parameter isNew: Whether the authority no longer knows the account that is stored.
    private func client(isNew: Bool) async throws -> ACMEClient {
        let stored = try await storage.read(accountName).flatMap { try? JSONCoder().decode(Account.self, from: $0) }
        let client = try client(stored)
        if stored?.url != nil, !isNew { return client }
        // First the key: should the program end now, the next account would be the same.
        let key = String(decoding: client.key.key.pem, as: UTF8.self)
        try await storage.write(try JSONCoder().encode(Account(key: key, url: nil)), as: accountName)
        let url = try await client.makeAccount(email: settings.email)
        try await storage.write(try JSONCoder().encode(Account(key: key, url: url)), as: accountName)
        return client
    }

    /// Orders a certificate, stores it, and uses it. Only for who holds the lock.
    /// - Parameter method: By default, the other one than at the last try if that has failed.
    func order(_ method: ChallengeMethod? = nil) async throws {
        let names = settings.hosts.joined(separator: ", ")
        let (tries, replaced) = state.withLock { ($0.tries, $0.facts?.renewalName) }
        let method = method ?? tries.method
        logger.info("A certificate for \(names) is being ordered by \(method.rawValue).")
        let text: [UInt8]
        do {
            text = try await order(method, replaced, client(isNew: false))
        } catch let problem as ACMEProblem where problem.kind == "accountDoesNotExist" {
            text = try await order(method, replaced, client(isNew: true))
        }
        guard isComplete(text) else { throw ACMEProblem("The authority has sent a certificate for other names.") }
        try await storage.write(text, as: certificateName)
        try await storage.remove(triesName)
        state.withLock { $0.tries = FailedTries() }
        try await refresh()
    }

    private func order(_ method: ChallengeMethod, _ replaced: String?, _ client: ACMEClient) async throws -> [UInt8] {
        let order = CertificateOrder(
            client: client, hosts: settings.hosts, method: method, replaces: replaced, proofs: proofs, now: now,
            sleep: Self.sleep)
        return try await order.run()
    }

    static func sleep(_ pause: Duration) async throws {
        if let loop = EventLoop.current { return try await loop.sleep(for: pause) }
        try await Task.sleep(for: pause)
    }

    static func text(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
