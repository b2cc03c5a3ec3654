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
/// Files are read again when they change and on SIGHUP; connections that have begun keep their certificate. A new file
/// that cannot be used is an error in the log, and the old one stays.
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
    private let versions = Mutex<[FileVersion]>([])
    /// The sentence of the last try to read the files again, if it failed.
    private let failure = Mutex<String?>(nil)

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
        versions.withLock { $0 = currentVersions() }
        try load()
        tellExpiry()
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

    private func load() throws(StartError) {
        var pairs: [CertificatePair] = []
        for files in settings.certificates { pairs.append(try CertificatePair(files)) }
        let authority = try Self.clientAuthority(settings)
        do {
            try store.use(pairs, clientAuthority: authority)
        } catch {
            throw .configuration("TLS_CERTIFICATE or TLS_KEY cannot be used: \(error).")
        }
    }

    /// Reads the files again if they have changed.
    /// - Parameter isAsked: Whether somebody has asked for it, whether or not they have changed.
    func reloadIfChanged(isAsked: Bool = false) {
        let current = currentVersions()
        guard versions.withLock({ $0 }) != current || isAsked else { return }
        do throws(StartError) {
            try load()
            versions.withLock { $0 = current }
            failure.withLock { $0 = nil }
            logger.notice("The certificates have been read again.")
            tellExpiry()
        } catch {
            // It is tried again at the next look, and told once.
            let sentence = "The old certificates stay in use. \(error)"
            let isNew = failure.withLock { failure in
                defer { failure = sentence }
                return failure != sentence
            }
            if isNew || isAsked { logger.error("\(sentence)") }
        }
    }

    private func currentVersions() -> [FileVersion] {
        let own = settings.certificates.flatMap { [$0.certificate, $0.key] }
        return (own + [settings.clientAuthority].compactMap(\.self)).map { FileVersion($0) }
    }

    private func tellExpiry() {
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
        if settings.port != nil, automatic == nil { try load() }
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

/// The version of a file, by which a change shows.
private struct FileVersion: Equatable {
    private var device, file, seconds, nanoseconds, size, mode, owner, group: Int

    init(_ path: String) {
        var facts = Glibc.stat()
        let isThere = stat(path, &facts) == 0
        device = isThere ? Int(truncatingIfNeeded: facts.st_dev) : -1
        file = Int(truncatingIfNeeded: facts.st_ino)
        // It changes with the content, and also with the rights to read it.
        seconds = facts.st_ctim.tv_sec
        nanoseconds = facts.st_ctim.tv_nsec
        size = Int(facts.st_size)
        (mode, owner, group) = (Int(facts.st_mode), Int(facts.st_uid), Int(facts.st_gid))
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
