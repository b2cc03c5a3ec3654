import Roost

/// `Templates/account.mustache`
struct AccountPage: Encodable, Sendable {
    let signedInAs: String?

    init(_ request: Request) async throws { signedInAs = try await request.signedInAs }
}
