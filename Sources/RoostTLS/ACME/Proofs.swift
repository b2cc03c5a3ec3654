import Roost
import Synchronization

/// The proofs that an authority may look for at present: in this program, and in the storage, where other instances
/// find them.
final class Proofs: ChallengeProofs {
    private let storage: any CertificateStorage
    private let store: CertificateStore?
    private let prefix: String
    private let shown = Mutex<[String: Challenge]>([:])

    /// - Parameters:
    ///   - store: What handshakes ask; nil without any.
    ///   - prefix: What the names of its texts begin with.
    init(_ storage: any CertificateStorage, _ store: CertificateStore?, prefix: String) {
        self.storage = storage
        self.store = store
        self.prefix = prefix
    }

    func show(_ challenge: Challenge) async throws {
        shown.withLock { $0[challenge.token] = challenge }
        switch challenge.method {
        case .http: try await storage.write(Array(challenge.authorization.utf8), as: name(challenge.token))
        case .handshake:
            let text = try CertificateRequest.proof(of: challenge.host, challenge.authorization)
            let files = CertificateFiles(certificate: "a challenge", key: "a challenge")
            try store?.prove(challenge.host, with: CertificatePair(certificate: text, key: text, files))
        }
    }

    func hide(_ token: String) async {
        guard let challenge = shown.withLock({ $0.removeValue(forKey: token) }) else { return }
        switch challenge.method {
        // Also when the order has been cancelled. What cannot be removed harms nobody.
        case .http: _ = try? await Task { try await storage.remove(name(token)) }.value
        case .handshake: try? store?.prove(challenge.host, with: nil)
        }
    }

    /// The text for a token; nil if this program has shown none.
    func authorization(shownFor token: String) -> String? { shown.withLock { $0[token]?.authorization } }

    /// The text for a token that another instance or a command has shown; nil if none has.
    func authorization(storedFor token: String) async throws -> String? {
        try await storage.read(name(token)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func name(_ token: String) -> String { "\(prefix)-challenge-\(token)" }
}
