/// The grammar of email addresses that browsers check (WHATWG HTML §4.10.5.1.5).
///
///     email = 1*( atext / "." ) "@" label *( "." label )
///     label = let-dig [ [ ldh-str ] let-dig ]             ; at most 63 characters (RFC 1034 §3.5)
package enum EmailGrammar {
    private static let local = ByteSet { byte in
        byte.isLetterOrDigit || ".!#$%&'*+/=?^_`{|}~-".utf8.contains(byte)
    }

    package static func isValid(_ text: String) -> Bool {
        guard text.utf8.count <= 254, let at = text.utf8.firstIndex(of: UInt8(ascii: "@")) else { return false }
        let name = text.utf8[..<at]
        guard !name.isEmpty, name.allSatisfy(local.contains) else { return false }
        return text.utf8[at...].dropFirst().split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy(\.isHostLabel)
    }
}
