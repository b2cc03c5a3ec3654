import FoundationEssentials
import Glibc
import Logging
import Roost
import RoostHTTPClient
import Synchronization

// One instance at a time orders, under the storage's lock; all look at the storage now and then, and use what is there.
// Whatever fails is logged and tried again: it never stops the site.

/// A certificate that a program orders, keeps and renews itself, as with `TLS=auto` and the command `certificates`.
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
        /// The certificate in use, with its key, in PEM.
        var text: [UInt8] = []
        var facts: CertificateFacts?
        /// Whether it has been ordered here and the storage has not taken it yet.
        var isUnsaved = false
        /// The stored text that is of no use here, and has been told so.
        var useless: [UInt8]?
        /// Whether the storage has been read: what is new there afterwards, another program has done meanwhile.
        var hasLooked = false
        /// The time of the latest order that has succeeded since the start, here or elsewhere.
        var lastOrder: Int?
        /// The time to renew that the authority suggests.
        var suggestion: Int?
        /// The time to ask it again.
        var nextQuestion = 0
        var tries = FailedTries()
        /// Whether this program has tried, or another one since its start: after a start it does at once, whatever
        /// happened before, unless the authority does not want it.
        var hasTried = false
        /// The latest refusal of the storage.
        var complaint = ""

        /// Forgets times in the future: the clock that told them was ahead.
        mutating func clockIs(_ now: Int) {
            if tries.time ?? 0 > now { (tries.time, tries.notBefore) = (now, nil) }
            lastOrder = lastOrder.map { min($0, now) }
            nextQuestion = min(nextQuestion, now + 86_400)
        }
    }

    /// - Parameters:
    ///   - store: The store that handshakes ask; nil without any.
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
    var orderName: String { name("order.json") }
    private var triesName: String { name("tries.json") }

    // MARK: What is stored

    /// Reads the certificate, and uses it if it is another one than before. One that cannot be used is as good as
    /// none: the one before stays, or another is ordered.
    func refresh() async throws {
        let stored = try await storage.read(triesName)
        let text = try await storage.read(certificateName)
        let time = now()
        let tries = stored.flatMap { try? JSONCoder().decode(FailedTries.self, from: $0) }?.believable(at: time)
        let isFirst = state.withLock { state in
            defer { state.hasLooked = true }
            state.clockIs(time)
            // A failure that could not be stored is newer. One in the future has the time of a clock that was ahead.
            if let tries, tries.time ?? 0 <= time, tries.time ?? 0 >= state.tries.time ?? 0 {
                if state.hasLooked, tries != state.tries { state.hasTried = true }
                state.tries = tries
            }
            return !state.hasLooked
        }
        let (known, useless, isUnsaved) = state.withLock { ($0.text, $0.useless, $0.isUnsaved) }
        guard !isUnsaved, let text, text != useless else { return }
        if text == known, !text.isEmpty { return }
        do {
            // Programs with other names may have the same storage.
            if isComplete(known), !isComplete(text) { throw ACMEProblem("It is for other names.") }
            try take(text)
            state.withLock { state in
                // Another instance has ordered it, and has removed what had failed.
                if stored == nil { state.tries = FailedTries() }
                if !isFirst { state.lastOrder = time }
            }
        } catch {
            state.withLock { $0.useless = text }
            logger.error("The stored certificate cannot be used: \(LogText.escaped("\(error)"))")
        }
    }

    /// Uses a certificate.
    private func take(_ text: [UInt8]) throws {
        let pair = try pair(text)
        try use(pair)
        let facts = CertificateFacts(pair)
        state.withLock { state in
            (state.text, state.facts, state.useless) = (text, facts, nil)
            (state.suggestion, state.nextQuestion) = (nil, 0)
        }
        let names = settings.hosts.joined(separator: ", ")
        if let fault = facts.fault(of: "The certificate for \(names)", at: now()) { return logger.error("\(fault)") }
        logger.notice("The certificate for \(names) is in use until \(Self.text(facts.expires)).")
    }

    /// Uses a certificate that has been ordered, and stores it; the next step tries again what the storage refuses.
    /// Only for who holds the lock. A stop must not lose what an authority gives only a few times a week.
    func keep(_ text: [UInt8]) async throws {
        try take(text)
        state.withLock { $0.isUnsaved = true }
        try await toTheEnd(save)
    }

    private func save() async throws {
        let text = state.withLock { $0.isUnsaved ? $0.text : nil }
        guard let text else { return }
        try await storage.write(text, as: certificateName)
        try await storage.remove(triesName)
        try await storage.remove(orderName)
        state.withLock { ($0.isUnsaved, $0.tries) = (false, FailedTries()) }
    }

    /// Stores a certificate that the storage has refused before, unless another instance has stored a newer one since.
    /// - Returns: False if that has to wait for another instance, which is ordering one.
    private func saveLate() async throws -> Bool {
        let (isUnsaved, text, begins) = state.withLock { ($0.isUnsaved, $0.text, $0.facts?.begins) }
        guard isUnsaved, let begins else { return true }
        let isDone: Void? = try await storage.alone {
            if let stored = try await storage.read(certificateName), stored != text, isComplete(stored),
                CertificateFacts(try pair(stored)).begins >= begins
            {
                state.withLock { ($0.isUnsaved, $0.tries) = (false, FailedTries()) }
            } else {
                try await save()
            }
        }
        return isDone != nil
    }

    func pair(_ text: [UInt8]) throws -> CertificatePair {
        let files = CertificateFiles(certificate: certificateName, key: certificateName)
        return try CertificatePair(certificate: text, key: text, files)
    }

    /// Whether the certificate is for all names of the settings.
    func isComplete(_ text: [UInt8]) -> Bool {
        (try? pair(text)).map { CertificateFacts.covers(settings.hosts, $0) } ?? false
    }

    /// Whether the certificate in use is for all names of the settings.
    var hasWhole: Bool { isComplete(state.withLock { $0.text }) }

    /// The time to order: 0 without a certificate for all names. The authority's suggestion holds, but not into the
    /// last tenth of the certificate's life.
    var renewal: Int {
        let state = state.withLock { $0 }
        guard let facts = state.facts, isComplete(state.text) else { return 0 }
        return state.suggestion.map { min($0, facts.expires - facts.life / 10) }
            ?? RenewalPlan.usual(facts, chance: RenewalPlan.chance(state.text))
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
            guard try await saveLate() else { return .seconds(2) }
            try await refresh()
            await askForRenewal()
            if renewal <= now(), nextTry <= now() {
                let isDone: Void? = try await storage.alone { try await orderIfDue() }
                if isDone == nil { return .seconds(2) }
            }
            state.withLock { $0.complaint = "" }
            return untilNext
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
        let state = state.withLock { $0 }
        // Whatever the clock or the authority says of the new one: an authority gives only a few a week.
        let rest = state.lastOrder.map { $0 + min(state.facts?.life ?? .max, 10 * 6 * 3600) / 10 } ?? 0
        let tries = state.tries
        guard state.hasTried else { return max(rest, tries.notBefore ?? 0) }
        return max(rest, tries.next(chance: RenewalPlan.chance(Array("\(tries.time ?? 0)".utf8))))
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
            // It has been issued; only the storage does not take it.
            if state.withLock({ $0.isUnsaved }) { throw error }
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
            if let response = try await ACMEClient.renewalInfo(of: name, settings.directory, http) {
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

    static func text(_ seconds: Int) -> String {
        Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
    }
}
