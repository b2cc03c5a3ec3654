import COpenSSL
public import CoreMetrics
import Glibc
import Logging
public import Roost
import Synchronization

/// TLS at a port of its own, for a server that needs no proxy before it: a service of the application.
///
///     try Application(services: [try TLS()]) { routes in … }
///
/// Without `TLS_PORT` it does no more than speak HTTP/2 to the clients of the plain port that begin with it.
///
/// Files are read again when they change and on SIGHUP, each certificate by itself; connections that have begun keep
/// theirs. A new file that cannot be used is an error in the log, at once and then once a day, and the old one stays.
public final class TLS: Service {
    private let settings: TLSSettings
    private let watches: Bool
    private let isProduction: Bool
    private let logger: Logger
    let store: CertificateStore
    private let watch = Mutex<Task<Void, Never>?>(nil)
    /// The certificate that is ordered; nil for one in files.
    private let automatic: AutomaticCertificates?
    private let loop = Mutex<EventLoop?>(nil)
    /// The port that the server has got.
    private let bound = Atomic(0)
    /// The files of each certificate, and at the end that of the authority of clients.
    private let sources: Mutex<[CertificateSource]>

    /// TLS as environment variables say.
    /// - Parameter storage: As in ``init(_:storage:logger:)``.
    /// - Throws: ``StartError/configuration(_:)`` with a sentence for each invalid value.
    public convenience init(
        environment: [String: String] = ProcessEnvironment.variables, storage: (any CertificateStorage)? = nil,
        logger: Logger? = nil
    ) throws(StartError) {
        var reader = SettingsReader(environment)
        let settings = TLSSettings(reading: &reader)
        try reader.check()
        try self.init(settings, storage: storage, logger: logger)
    }

    /// TLS with certain settings.
    /// - Parameter storage: The place for certificates that are ordered; by default the folder that the settings name.
    ///   Instances on several machines share a ``SQLCertificateStorage``.
    /// - Throws: ``StartError/configuration(_:)`` for an authority that cannot be read.
    public convenience init(
        _ settings: TLSSettings, storage: (any CertificateStorage)? = nil, logger: Logger? = nil
    ) throws(StartError) {
        try self.init(settings, storage: storage, logger: logger, watches: true)
    }

    /// - Parameter watches: Whether it looks by itself whether the files have changed.
    init(
        _ settings: TLSSettings, storage: (any CertificateStorage)? = nil, logger: Logger? = nil, watches: Bool
    ) throws(StartError) {
        self.settings = settings
        let pairs = settings.certificates.map { CertificateSource([$0.certificate, $0.key]) }
        sources = Mutex(pairs + [settings.clientAuthority].compactMap(\.self).map { CertificateSource([$0]) })
        self.watches = watches
        self.logger = logger ?? Logger(label: "tls")
        isProduction = Environment.current == .production
        store = CertificateStore(
            protocols: settings.speaksHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"],
            tickets: TicketKeys(secret: settings.ticketSecret),
            clientAuthority: try Self.clientAuthority(settings))
        let ordered = settings.port == nil ? nil : settings.automatic
        if let path = ordered?.authority {
            let text = try PEMFile.read(path, "ACME_CA")
            for certificate in try PEMFile.certificates(text, "ACME_CA", path) { X509_free(certificate) }
        }
        automatic = ordered.map { [store, logger = self.logger] ordered in
            let storage = storage ?? FolderCertificateStorage(ordered.folder)
            return AutomaticCertificates(ordered, storage, store: store, logger: logger)
        }
    }

    /// Reads the certificates, and begins to watch their files. A certificate that has to be ordered is, as soon as the
    /// server listens.
    /// - Throws: ``StartError/configuration(_:)`` for a file that cannot be used.
    public func start() async throws {
        guard settings.port != nil else { return }
        // SIGHUP must end no program that reads its certificates again.
        _ = HangUps.count
        if let automatic {
            try store.awaitCertificate()
            loop.withLock { $0 = EventLoop.current }
            return try await automatic.start()
        }
        let all = look(isAsked: true)
        try load()
        note(all, [:], at: 0)
        tellValidity()
        if watches { watchFiles() }
    }

    private func watchFiles() {
        let hangUps = HangUps.count
        let loop = EventLoop.current
        let task = Task(executorPreference: loop) { [weak self] in
            var seen = hangUps
            while !Task.isCancelled, let loop, (try? await loop.sleep(for: .seconds(1))) != nil {
                let now = HangUps.count
                self?.reloadIfChanged(isAsked: now != seen)
                seen = now
            }
        }
        watch.withLock { $0 = task }
    }

    /// Ends the watch, or the order that is under way.
    public func stop() async {
        let task = watch.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    private static func clientAuthority(_ settings: TLSSettings) throws(StartError) -> ClientAuthority? {
        guard settings.port != nil, let path = settings.clientAuthority else { return nil }
        return try ClientAuthority(path)
    }

    /// Reads everything.
    private func load() throws(StartError) {
        var pairs: [CertificatePair?] = []
        for files in settings.certificates { pairs.append(try pair(files)) }
        try use(pairs, try Self.clientAuthority(settings))
    }

    private func pair(_ files: CertificateFiles) throws(StartError) -> CertificatePair {
        let pair = try CertificatePair(files)
        do throws(OpenSSLFailure) { _ = try TLSContext(pair, for: store, nil) } catch { throw Self.unusable(error) }
        return pair
    }

    private func use(_ pairs: [CertificatePair?], _ authority: ClientAuthority?) throws(StartError) {
        do throws(OpenSSLFailure) {
            try store.use(pairs, clientAuthority: authority)
        } catch {
            throw Self.unusable(error)
        }
    }

    private static func unusable(_ reason: OpenSSLFailure) -> StartError {
        .configuration("TLS_CERTIFICATE or TLS_KEY cannot be used: \(reason).")
    }

    /// Reads the files again that have changed, or could not be used at the last look.
    /// - Parameters:
    ///   - isAsked: Whether somebody has asked for all of them, whether or not they have changed.
    ///   - now: The time, in seconds since 1970.
    func reloadIfChanged(isAsked: Bool = false, at now: Int = time(nil)) {
        let due = look(isAsked: isAsked)
        guard !due.isEmpty else { return }
        let failures = reload(due)
        if failures.count < due.count { logger.notice("The certificates have been read again.") }
        let told = note(due, failures, at: now)
        for index in isAsked ? due : told {
            if let failure = failures[index] { logger.error("\(kept(index)) \(failure)") }
        }
        if !told.isEmpty || failures.count < due.count { tellValidity() }
    }

    /// Looks at the files; returns the numbers of those that have to be read.
    private func look(isAsked: Bool) -> [Int] {
        sources.withLock { sources in
            sources.indices.filter { index in
                let hasChanged = sources[index].look()
                return hasChanged || isAsked
            }
        }
    }

    /// Notes what came of reading; returns the numbers of those whose failure is to be told.
    @discardableResult
    private func note(_ due: [Int], _ failures: [Int: String], at now: Int) -> [Int] {
        sources.withLock { sources in due.filter { sources[$0].wasRead(failures[$0], at: now) } }
    }

    /// Reads some of the files, and uses those that it can.
    /// - Returns: The sentences about the others.
    private func reload(_ due: [Int]) -> [Int: String] {
        var failures: [Int: String] = [:]
        var pairs: [CertificatePair?] = settings.certificates.map { _ in nil }
        var authority: ClientAuthority?
        for index in due {
            do throws(StartError) {
                if index < pairs.count {
                    pairs[index] = try pair(settings.certificates[index])
                } else {
                    authority = try Self.clientAuthority(settings)
                }
            } catch {
                failures[index] = error.description
            }
        }
        guard failures.count < due.count else { return failures }
        do throws(StartError) {
            try use(pairs, authority)
        } catch {
            for index in due { failures[index] = failures[index] ?? error.description }
        }
        return failures
    }

    /// The sentence on the certificates that stay in use where new files cannot be used.
    private func kept(_ index: Int) -> String {
        if index == settings.certificates.count { return "The old authority of clients stays in use." }
        return settings.certificates.count == 1
            ? "The old certificates stay in use." : "An old certificate stays in use."
    }

    private func tellValidity() {
        if let begins = store.begins, begins > time(nil) {
            let begin = HTTPDate.string(begins)
            logger.error("A certificate is not valid before \(begin): browsers refuse it, or this clock is behind.")
        }
        guard let expiry = store.expiry else { return }
        let days = (expiry - time(nil)) / 86_400
        if expiry < time(nil) { return logger.error("A certificate has expired: browsers refuse it.") }
        if days < 14 { logger.warning("A certificate expires in \(days) days.") }
    }

    /// The port in the URLs of the site.
    var publicPort: Int { bound.load(ordering: .relaxed) }
}

extension TLS: StartChecking {
    /// Reads the certificates that are in files.
    package func checkStart() throws {
        guard settings.port != nil, automatic == nil else { return }
        try load()
        tellValidity()
    }
}

extension TLS: MetricsReporting {
    /// Sets the time at which the certificate that ends first expires, so that an alert can come before.
    public func reportMetrics(to metrics: any MetricsFactory) {
        guard let expiry = store.expiry else { return }
        Meter(label: "roost_certificate_expiry_timestamp_seconds", factory: metrics).set(expiry)
    }
}

extension TLS: SecurePort {
    package var port: Int? { settings.port }

    package func makeHTTP2() -> (any ProtocolUpgrade)? { store.offersHTTP2 ? HTTP2() : nil }

    package func listens(at port: Int) {
        bound.store(port, ordering: .relaxed)
        guard let automatic, watches, let loop = loop.withLock({ $0 }) else { return }
        let task = Task(executorPreference: loop) { await automatic.run(on: loop) }
        watch.withLock { $0 = task }
    }

    package func transports(on loop: EventLoop) -> (Int32) -> (any Transport)? {
        let pieces = FilePieces()
        return { [store] socket in TLSTransport(socket, store, pieces) }
    }

    package func guarding(_ responder: any Responder) -> any Responder {
        guard settings.port != nil else { return responder }
        let isSite = settings.plain ?? (isProduction ? .redirect : .site) == .site
        let guarded = isSite ? responder : HTTPSRedirect(responder, self, settings)
        return automatic.map { ChallengeResponder(guarded, $0.proofs) } ?? guarded
    }
}

/// The count of SIGHUP, by which administrators ask a program to read its files again.
private enum HangUps {
    private static let received = Atomic(0)

    /// The first call installs the handler, which does nothing but count.
    static var count: Int {
        _ = installed
        return received.load(ordering: .relaxed)
    }

    private static let installed: Void = {
        _ = received.load(ordering: .relaxed)
        signal(SIGHUP) { _ in HangUps.received.add(1, ordering: .relaxed) }
    }()
}
