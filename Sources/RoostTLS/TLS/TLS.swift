import COpenSSL
public import CoreMetrics
import Glibc
import Logging
public import Roost
import Synchronization

/// TLS on a port of its own, for a server without a proxy in front of it: a service of the application.
///
///     try Application(services: [try TLS()]) { routes in … }
///
/// Without `TLS_PORT`, it does nothing but speak HTTP/2 with clients of the plain port that begin with it.
///
/// Files are read again when they change and on SIGHUP, each certificate by itself; open connections keep theirs. A new
/// file that cannot be used is logged as an error, at once and then once a day, and the old certificate stays in use.
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
    /// The values that files had last; nil before the start, and for a certificate that is ordered.
    private let files = Mutex<FilesInUse?>(nil)

    /// Creates TLS with the settings of environment variables.
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

    /// Creates TLS with these settings.
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

    /// Reads the certificates, and begins to watch their files. A certificate that must be ordered is ordered once the
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
        try load()
        tellValidity()
        if watches { watchFiles() }
    }

    private func watchFiles() {
        let hangUps = HangUps.count
        let loop = EventLoop.current
        let task = Task(executorPreference: loop) { [weak self] in
            var seen = hangUps
            while !Task.isCancelled, let loop, (try? await loop.sleep(for: .seconds(1))) != nil {
                let (now, last) = (HangUps.count, seen)
                // A look at files may take long, as on a network's disk.
                let isDone: Void? = try? await offloadOwn { [weak self] in
                    self?.reloadIfChanged(isAsked: now != last)
                }
                if isDone != nil { seen = now }
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
        try files.withLock { (files) throws(StartError) in
            let read = try FilesInUse(settings, for: store)
            try read.use(in: store)
            files = read
        }
    }

    /// Reads the files again that have changed, or could not be used at the last look.
    /// - Parameters:
    ///   - isAsked: Whether somebody has asked for all of them, whether or not they have changed.
    ///   - now: The time, in seconds since 1970.
    func reloadIfChanged(isAsked: Bool = false, at now: Int = time(nil)) {
        let looks = files.withLock { $0?.look(isAsked: isAsked, at: now) ?? [] }
        let hasChanged = looks.contains(.changed)
        if hasChanged {
            // Each has been tried by itself, so only memory can be missing. The next change, or SIGHUP, tries again.
            do throws(StartError) {
                try files.withLock { (files) throws(StartError) in try files?.use(in: store) }
                logger.notice("The certificates have been read again.")
            } catch {
                logger.error("The old certificates stay in use. \(error)")
            }
        }
        var isNews = hasChanged
        for (index, look) in looks.enumerated() {
            guard case .failed(let sentence, let isNew) = look else { continue }
            if isNew || isAsked { logger.error("\(kept(index)) \(sentence)") }
            isNews = isNews || isNew
        }
        if isNews { tellValidity() }
    }

    /// The sentence on the certificates that stay in use where new files cannot be used.
    private func kept(_ index: Int) -> String {
        if index == settings.certificates.count { return "The old authority of clients stays in use." }
        return settings.certificates.count == 1
            ? "The old certificates stay in use." : "An old certificate stays in use."
    }

    private func tellValidity() {
        let now = time(nil)
        for (files, facts) in zip(settings.certificates, store.facts) {
            let subject =
                settings.certificates.count == 1 ? "A certificate" : "The certificate in \(files.certificate)"
            let days = (facts.expires - now) / 86_400
            if let fault = facts.fault(of: subject, at: now) {
                logger.error("\(fault)")
            } else if days < 14 {
                logger.warning("\(subject) expires in \(days) days.")
            }
        }
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
    /// Reports the earliest time at which a certificate expires, so that an alert can come in time.
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
        let isGuarded = isProduction || settings.clientAuthority != nil
        let isSite = settings.plain ?? (isGuarded ? .redirect : .site) == .site
        let guarded = isSite ? responder : HTTPSRedirect(responder, self, settings)
        return automatic.map { ChallengeResponder(guarded, $0.proofs) } ?? guarded
    }
}

/// The certificates and the authority of clients that are in files.
private struct FilesInUse {
    private var pairs: [CertificateSource<CertificatePair>] = []
    private var authority: CertificateSource<ClientAuthority>?

    init(_ settings: TLSSettings, for store: CertificateStore) throws(StartError) {
        for files in settings.certificates {
            let pair = try CertificateSource([files.certificate, files.key]) { () throws(StartError) in
                let pair = try CertificatePair(files)
                try Self.told { () throws(OpenSSLFailure) in _ = try TLSContext(pair, for: store, nil) }
                return pair
            }
            pairs.append(pair)
        }
        if let path = settings.clientAuthority {
            authority = try CertificateSource([path]) { () throws(StartError) in try ClientAuthority(path) }
        }
    }

    /// Looks at the files of each certificate, and at the end at that of the authority.
    mutating func look(isAsked: Bool, at now: Int) -> [CertificateLook] {
        let looks = pairs.indices.map { pairs[$0].look(isAsked: isAsked, at: now) }
        return looks + [authority?.look(isAsked: isAsked, at: now) ?? .same]
    }

    func use(in store: CertificateStore) throws(StartError) {
        try Self.told { () throws(OpenSSLFailure) in
            try store.use(pairs.map(\.value), clientAuthority: authority?.value)
        }
    }

    /// Runs what may fail in OpenSSL; throws a sentence about the settings then.
    private static func told(_ body: () throws(OpenSSLFailure) -> Void) throws(StartError) {
        do throws(OpenSSLFailure) { try body() } catch {
            throw .configuration("TLS_CERTIFICATE or TLS_KEY cannot be used: \(error).")
        }
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
