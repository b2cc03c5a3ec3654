/// What the login's form sends; a field that is missing is empty.
package struct LoginForm: Decodable, Sendable {
    package let email: String
    package let password: String

    private enum CodingKeys: CodingKey {
        case email
        case password
    }

    package init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        email = try form.decodeIfPresent(String.self, forKey: .email) ?? ""
        password = try form.decodeIfPresent(String.self, forKey: .password) ?? ""
    }
}
