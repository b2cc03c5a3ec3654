import HTTPTypes
import Roost
import RoostHTTPClient
import Synchronization

/// An account's requests to an authority: each is signed and has a nonce, which is used once (RFC 8555 §6).
final class ACMEClient: Sendable {
    private let http: HTTPClient
    private let directoryURL: String
    let key: AccountKey
    private let now: @Sendable () -> Int
    private let state = Mutex(State())

    private struct State {
        var directory: ACMEDirectory?
        var nonce: String?
        var account: String?
    }

    /// The most times that a request is sent because its nonce is not taken (§6.5).
    private static let tries = 10

    /// - Parameters:
    ///   - account: The URL of the account, if there is one already.
    ///   - now: The seconds since 1970.
    init(
        _ http: HTTPClient, directory: String, key: AccountKey, account: String? = nil,
        now: @escaping @Sendable () -> Int
    ) {
        self.http = http
        directoryURL = directory
        self.key = key
        self.now = now
        state.withLock { $0.account = account }
    }

    /// Whether it has an account.
    var hasAccount: Bool { state.withLock { $0.account != nil } }

    /// The authority's URLs, which are asked for once.
    func directory() async throws -> ACMEDirectory {
        if let known = state.withLock({ $0.directory }) { return known }
        let directory: ACMEDirectory = try successful(await http.get(directoryURL)).json()
        state.withLock { $0.directory = directory }
        return directory
    }

    /// Makes an account, or finds that of the key (§7.3.1).
    /// - Returns: Its URL.
    func makeAccount(email: String?) async throws -> String {
        state.withLock { $0.account = nil }
        let payload = ACMERequests.NewAccount(contact: email.map { ["mailto:\($0)"] })
        let response = try await post(try await directory().newAccount, payload)
        guard let url = response.headers[.location] else { throw ACMEProblem("The authority names no account.") }
        state.withLock { $0.account = url }
        return url
    }

    /// Sends a value.
    func post(_ url: String, _ payload: some Encodable) async throws -> HTTPClient.Response {
        try await send(try JSONCoder().encode(payload), to: url)
    }

    /// Reads something (§6.3).
    func read(_ url: String) async throws -> HTTPClient.Response { try await send(nil, to: url) }

    /// The authority's word about the time to renew a certificate (RFC 9773 §4), which needs no account and no key; nil
    /// if it says nothing.
    static func renewalInfo(
        of name: String, _ directoryURL: String, _ http: HTTPClient
    ) async throws -> HTTPClient.Response? {
        let directory: ACMEDirectory = try await http.get(directoryURL).successful().json()
        guard let url = directory.renewalInfo else { return nil }
        return try await http.get("\(url)/\(name)").successful()
    }

    /// - Throws: ``ACMEProblem``, which knows the pause that the authority wants.
    private func successful(_ response: HTTPClient.Response) throws -> HTTPClient.Response {
        guard response.status.kind == .successful else { throw ACMEProblem(response, now: now()) }
        return response
    }

    private func send(_ payload: [UInt8]?, to url: String) async throws -> HTTPClient.Response {
        var tried = 0
        while true {
            tried += 1
            let nonce = try await takeNonce()
            let account = state.withLock { $0.account }
            let body = Body(try key.request(payload, to: url, nonce: nonce, account: account))
            let response = try await http.post(url, body: body, headers: [.contentType: "application/jose+json"])
            if let next = response.headers["Replay-Nonce"] { state.withLock { $0.nonce = next } }
            if response.status.kind == .successful { return response }
            let problem = ACMEProblem(response, now: now())
            guard problem.kind == "badNonce", tried < Self.tries else { throw problem }
        }
    }

    private func takeNonce() async throws -> String {
        if let nonce = state.withLock({ $0.nonce.take() }) { return nonce }
        let response = try await http.head(try await directory().newNonce)
        guard let nonce = try successful(response).headers["Replay-Nonce"] else {
            throw ACMEProblem("The authority has sent no nonce.")
        }
        return nonce
    }
}
