extension Request {
    /// The credentials in `Authorization` for a scheme, such as the token of an API (RFC 9110 §11.6.2, RFC 6750 §2.1):
    ///
    ///     guard let token = request.credentials("Bearer") else { throw HTTPError(.unauthorized) }
    ///
    /// Nil without the field, with another scheme, and with more than one such field.
    /// - Parameter scheme: Its name; the case of ASCII letters makes no difference.
    public func credentials(_ scheme: String) -> String? {
        // credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
        guard let field = receivedFields.only(.authorization) else { return nil }
        guard let space = field.firstOffset(of: UInt8(ascii: " ")) else { return nil }
        let name = field[..<space].lazy.map(\.lowercased)
        let credentials = UnsafeBufferPointer(rebasing: field[space...]).trimmingBlanks()
        guard name.elementsEqual(scheme.utf8.lazy.map(\.lowercased)), !credentials.isEmpty else { return nil }
        return CombiningMarks.limited(String(decoding: credentials, as: UTF8.self))
    }
}
