import HTTPTypes
import Roost

/// Answers an authority that looks for a proof (RFC 8555 §8.3), and passes everything else on.
final class ChallengeResponder: Responder {
    private let next: any Responder
    private let proofs: Proofs

    init(_ next: any Responder, _ proofs: Proofs) {
        self.next = next
        self.proofs = proofs
    }

    func serverChanged(to phase: ServerPhase) { next.serverChanged(to: phase) }

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
