public import Logging
public import Roost
import RoostHTTPClient
import Synchronization

extension AutomaticCertificates {
    /// The certificate of the settings in environment variables, in a folder.
    /// - Throws: `StartError` with a sentence for each invalid value, and without `TLS=auto`.
    public convenience init(environment: [String: String], logger: Logger? = nil) throws(StartError) {
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
