/// The name under which a browser keeps a response as a file (RFC 6266).
///
///     content-disposition = "attachment" [ ";" "filename" "=" quoted-string ] [ ";" "filename*" "=" ext-value ]
///     ext-value           = "UTF-8''" *( pct-encoded / attr-char )       ; RFC 8187 §3.2
package enum ContentDisposition {
    /// The field's value: the name as UTF-8, and for old clients in ASCII, with `_` for all other characters. Slashes
    /// and control characters become `_` in both, since they are no part of a name (RFC 6266 §4.3).
    package static func attachment(_ name: String) -> String {
        let name = shortened(name)
        let ascii = String(String.UnicodeScalarView(name.unicodeScalars.map { isPlain($0) ? $0 : "_" }))
        let quoted = "attachment; filename=\"\(ascii)\""
        return ascii == name ? quoted : "\(quoted); filename*=UTF-8''\(PercentEncoding.encoded(name))"
    }

    /// The most bytes of a name that the file systems of today take.
    private static let maximumLength = 255

    /// A name that file systems take; if it is too long, its suffix stays, by which programs know what it is.
    private static func shortened(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl || scalar == "/" || scalar == "\\" ? "_" : scalar)
        }
        var suffix = ""
        if let dot = scalars.lastIndex(of: "."), String(scalars[dot...]).utf8.count <= 16 {
            suffix = String(scalars[dot...])
            scalars.removeSubrange(dot...)
        }
        var excess = String(scalars).utf8.count + suffix.utf8.count - maximumLength
        while excess > 0, let last = scalars.popLast() { excess -= UTF8.width(last) }
        return String(scalars) + suffix
    }

    /// Whether every client reads a character of a quoted name in the same way (RFC 6266, appendix D).
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        (0x20...0x7E).contains(scalar.value) && scalar != "\"" && scalar != "%"
    }
}
