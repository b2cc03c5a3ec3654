/// The 3,000 most common passwords of at least 8 characters (ASVS 5.0, 6.2.4): `common-passwords.txt`, one a line in
/// small letters. Where they come from is in `common-passwords.license`.
enum CommonPasswords {
    /// Whether a password is on the list, in capital or small letters.
    static func contains(_ password: String) -> Bool {
        let password = Array(password.lowercased().utf8)
        return lines.contains { $0.elementsEqual(password) }
    }

    static let lines = PackageResources.common_passwords_txt.split(separator: UInt8(ascii: "\n"))
}
