extension String {
    /// Whether a field's value, which is a list (RFC 9110 §5.6.1), has a member; the case of letters makes no
    /// difference.
    /// - Parameter token: In lower case.
    func lists(_ token: StaticString) -> Bool {
        guard utf8.count >= token.utf8CodeUnitCount else { return false }
        var value = self
        return value.withUTF8 { bytes in
            var members = DelimitedParts(bytes)
            while let member = members.nextPresent(before: UInt8(ascii: ",")) {
                if member.isEqualIgnoringCase(to: token) { return true }
            }
            return false
        }
    }
}
