import HTTPTypes
import Roost
import Synchronization

/// Answers an authority that looks for a proof (RFC 8555 §8.3), and passes everything else on.
final class ChallengeResponder: Responder {
    private let next: any Responder
    private let proofs: Proofs

    init(_ next: any Responder, _ proofs: Proofs) {
        self.next = next
        self.proofs = proofs
    }

    func respondWithoutWaiting(to request: inout Request) throws -> ImmediateResponse {
        guard let token = token(of: request) else { return try next.respondWithoutWaiting(to: &request) }
        guard let text = proofs.authorization(shownFor: token) else { return .waiting(self) }
        return .ready(response(text))
    }

    func respond(to request: Request) async throws -> Response {
        guard let token = token(of: request) else { return try await next.respond(to: request) }
        var text = proofs.authorization(shownFor: token)
        if text == nil { text = try? await proofs.authorization(storedFor: token) }
        guard let text else { return try await next.respond(to: request) }
        return response(text)
    }

    private func token(of request: Request) -> String? {
        guard request.method == .get || request.method == .head, request.path.hasPrefix(ChallengeToken.folder) else {
            return nil
        }
        let token = String(request.path.dropFirst(ChallengeToken.folder.count))
        return ChallengeToken.isValid(token) ? token : nil
    }

    private func response(_ text: String) -> Response {
        Response(.ok, "application/octet-stream", Body(text))
    }
}

/// The proofs that an authority may look for at present: in this program, and in the storage, where other instances
/// find them.
final class Proofs: Sendable {
    private let storage: any CertificateStorage
    private let store: CertificateStore?
    private let prefix: String
    private let shown = Mutex<[String: Challenge]>([:])

    /// - Parameters:
    ///   - store: The store that handshakes ask; nil without any.
    ///   - prefix: The beginning of the names of its texts.
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
        case .http: try? await toTheEnd { try await self.storage.remove(self.name(token)) }
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
