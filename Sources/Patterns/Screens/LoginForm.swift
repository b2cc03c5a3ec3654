/// What the login's form sends; a field that is missing is empty.
package struct LoginForm: Decodable, Sendable {
    /// At most 254 bytes, as long as an address can be (RFC 5321 §4.5.3.1.3): a live screen keeps it for minutes.
    package let email: String
    package let password: String

    private enum CodingKeys: CodingKey {
        case email
        case password
    }

    package init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        let typed = try form.decodeIfPresent(String.self, forKey: .email) ?? ""
        email = typed.utf8.count <= 254 ? typed : String(decoding: typed.utf8.prefix(254), as: UTF8.self)
        password = try form.decodeIfPresent(String.self, forKey: .password) ?? ""
    }
}
