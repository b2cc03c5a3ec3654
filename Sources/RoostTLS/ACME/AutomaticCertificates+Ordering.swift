public import Logging
public import Roost
import RoostHTTPClient
import Synchronization

// The account, the order, and where its certificate goes.

extension AutomaticCertificates {
    /// An account with the authority, as it is stored.
    struct Account: Codable {
        let key: String
        let url: String?
    }

    /// A client with an account; without one, or if its key cannot be read, with a new key.
    func client(_ account: Account?) throws -> ACMEClient {
        let key = account.flatMap { P256Key(pem: Array($0.key.utf8)) }
        return ACMEClient(
            http, directory: settings.directory, key: AccountKey(key: try key ?? P256Key()),
            account: key == nil ? nil : account?.url, now: now)
    }

    /// A client with an account, which is made if there is none.
    /// - Parameter isNew: Whether the authority no longer knows the account that is stored.
    private func client(isNew: Bool) async throws -> ACMEClient {
        let stored = try await storage.read(accountName).flatMap { try? JSONCoder().decode(Account.self, from: $0) }
        let client = try client(stored)
        if client.hasAccount, !isNew { return client }
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
        let text: [UInt8]
        if let issued = try await takeUp() {
            text = issued
        } else {
            logger.info("A certificate for \(names) is being ordered by \(method.rawValue).")
            do {
                text = try await order(method, replaced, client(isNew: false)).run()
            } catch let problem as ACMEProblem where problem.kind == "accountDoesNotExist" {
                text = try await order(method, replaced, client(isNew: true)).run()
            }
        }
        guard isComplete(text) else {
            try await storage.remove(orderName)
            let isUsable = (try? pair(text)) != nil
            throw ACMEProblem(
                "The authority has sent \(isUsable ? "a certificate for other names" : "no usable certificate").")
        }
        state.withLock { $0.lastOrder = now() }
        try await keep(text)
    }

    /// The certificate of an order that a program has left unfinished; nil if there is none. An authority that is asked
    /// for another one instead gives only a few a week.
    private func takeUp() async throws -> [UInt8]? {
        guard let stored = try await storage.read(orderName) else { return nil }
        guard let left = try? JSONCoder().decode(UnfinishedOrder.self, from: stored), left.hosts == settings.hosts,
            left.begun > now() - UnfinishedOrder.age
        else {
            try await storage.remove(orderName)
            return nil
        }
        logger.info("An order of a certificate that was left unfinished is taken up again.")
        let text = try await order(.http, nil, client(isNew: false)).takeUp(left)
        if text == nil { try await storage.remove(orderName) }
        return text
    }

    private func order(_ method: ChallengeMethod, _ replaced: String?, _ client: ACMEClient) -> CertificateOrder {
        CertificateOrder(
            client: client, hosts: settings.hosts, method: method, replaces: replaced, proofs: proofs, now: now,
            sleep: EventLoop.pause(for:), willFinish: { try await self.store($0) })
    }

    /// Stores what is needed to take an order up again. If the storage is full, the site still gets its certificate.
    private func store(_ order: UnfinishedOrder) async throws {
        do {
            try await storage.write(try JSONCoder().encode(order), as: orderName)
        } catch {
            try Task.checkCancellation()
            logger.warning("An order cannot be stored: \(LogText.escaped("\(error)"))")
        }
    }
}

extension AutomaticCertificates {
    /// The certificate of the settings in environment variables, in a folder.
    /// - Throws: `StartError` with a sentence for each invalid value, and without `TLS=auto`.
    package convenience init(environment: [String: String], logger: Logger? = nil) throws(StartError) {
        var reader = SettingsReader(environment)
        let settings = TLSSettings(reading: &reader)
        try reader.check()
        try self.init(settings, logger: logger)
    }

    /// The certificate of some settings, for a command: the program that serves the site has its own.
    /// - Parameter storage: By default the folder that the settings name.
    /// - Throws: `StartError` for settings without ``TLSSettings/automatic``.
    public convenience init(
        _ settings: TLSSettings, _ storage: (any CertificateStorage)? = nil, logger: Logger? = nil
    ) throws(StartError) {
        guard let automatic = settings.automatic else {
            throw .configuration("The site orders no certificates: that needs TLS=auto and HOST_NAMES.")
        }
        self.init(
            automatic, storage ?? FolderCertificateStorage(automatic.folder), store: nil,
            logger: logger ?? Logger(label: "tls"))
    }

    /// The certificate as programs and people read it; times are those of ISO 8601.
    package struct Status: Encodable, Sendable {
        package let hosts: [String]
        package let directory: String
        package let issuer, begins, expires, renewed: String?
        /// The reason for which the last try has failed.
        package let failure: String?

        package var lines: [String] {
            let names = hosts.joined(separator: ", ")
            var lines = ["\(names): no certificate from \(directory)"]
            if let issuer, let expires, let renewed {
                lines = ["\(names): until \(expires), renewed from \(renewed), by \(issuer)"]
            }
            return lines + (failure.map { ["The last try has failed. \($0)"] } ?? [])
        }
    }

    /// Reads what there is.
    package func status() async throws -> Status {
        try await refresh()
        let (facts, tries) = state.withLock { ($0.facts, $0.tries) }
        let time = renewal
        return Status(
            hosts: settings.hosts, directory: settings.directory, issuer: facts?.issuer,
            begins: facts.map { Self.text($0.begins) }, expires: facts.map { Self.text($0.expires) },
            renewed: facts.map { _ in time == 0 ? "now" : Self.text(time) }, failure: tries.reason)
    }

    /// Orders a certificate now; returns false when another instance is ordering one.
    /// - Throws: `StartError` with the authority's refusal.
    package func renew() async throws -> Bool {
        try await storage.open()
        try await refresh()
        do {
            // Only this proof can be shown by another process.
            let isDone: Void? = try await storage.alone { try await order(.http) }
            return isDone != nil
        } catch let error where error is ACMEProblem || error is HTTPClient.Failure {
            throw StartError.unavailable("There is no new certificate. \(error)")
        }
    }
}
