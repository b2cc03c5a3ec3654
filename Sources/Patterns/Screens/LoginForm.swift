/// The fields of a login, as they were sent; one that is missing is empty.
package struct LoginForm: Decodable, Sendable {
    /// At most 254 bytes of each are kept, as long as an address can be (RFC 5321 §4.5.3.1.3): a live screen has them
    /// for minutes.
    package let email: String
    package let password: String

    private enum CodingKeys: CodingKey {
        case email
        case password
    }

    package init(from decoder: any Decoder) throws {
        let form = try decoder.container(keyedBy: CodingKeys.self)
        email = Self.shortened(try form.decodeIfPresent(String.self, forKey: .email))
        password = Self.shortened(try form.decodeIfPresent(String.self, forKey: .password))
    }

    private static func shortened(_ text: String?) -> String {
        String(decoding: (text ?? "").utf8.prefix(254), as: UTF8.self)
    }
}
