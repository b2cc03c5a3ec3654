import Roost

/// Texts of any kind as the ASCII that mail is made of.
enum MIMEText {
    /// The most characters of a line without its CRLF (RFC 5322 §2.1.1, RFC 2047 §2).
    private static let width = 76

    // MARK: Header fields

    /// A field whose value is any text, on as many lines as it needs.
    static func field(_ name: String, _ value: String) -> String {
        let value = printable(value)
        let words = value.split(separator: " ", omittingEmptySubsequences: false)
        // A line is broken before a word only, and so has room for two blanks too many.
        guard isPlain(value), !value.contains("   "), words.allSatisfy({ $0.utf8.count < 900 }) else {
            return "\(name): \(encodedWords(value, after: name.utf8.count + 2))"
        }
        // Broken at blanks only: encoded words would make ids of messages unreadable (RFC 2047 §5).
        var (text, column) = ("\(name):", name.utf8.count + 1)
        for word in words {
            let breaks = column + 1 + word.utf8.count > width && column > name.utf8.count + 1 && !word.isEmpty
            text += (breaks ? "\r\n " : " ") + word
            column = (breaks ? 1 : column + 1) + word.utf8.count
        }
        return text
    }

    /// A field whose value is a list of addresses, one on a line.
    static func field(_ name: String, addresses: [MailAddress]) -> String {
        "\(name): " + addresses.map { mailbox($0, after: name.utf8.count + 2) }.joined(separator: ",\r\n ")
    }

    /// An address with its name before it, if it has one (RFC 5322 §3.4).
    private static func mailbox(_ address: MailAddress, after column: Int) -> String {
        guard let name = address.name.map(printable), !name.isEmpty else { return address.address }
        let text = quoted(name)
        let shown = isPlain(name) && text.utf8.count <= 60 ? text : encodedWords(name, after: column)
        return "\(shown)\r\n <\(address.address)>"
    }

    /// A text of ASCII in quotes (RFC 5322 §3.2.4).
    static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { "\\\"".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }

    /// A text in encoded words (RFC 2047 §2, the B encoding), each of whole characters and at most 75 long:
    ///
    ///     encoded-word = "=?utf-8?B?" base64 "?="
    private static func encodedWords(_ text: String, after column: Int) -> String {
        var words: [[UInt8]] = [[]]
        var room = bytes(in: width - column)
        for scalar in text.unicodeScalars {
            let character = Array(String(scalar).utf8)
            if words[words.count - 1].count + character.count > room {
                words.append([])
                room = bytes(in: width - 1)
            }
            words[words.count - 1] += character
        }
        return words.map { "=?utf-8?B?\(Base64.standard.text($0))?=" }.joined(separator: "\r\n ")
    }

    /// The number of bytes that an encoded word of a width has room for.
    private static func bytes(in width: Int) -> Int { max(4, (min(width, 75) - 12) / 4 * 3) }

    /// Whether a text can stand in a field as it is: printable ASCII that nobody takes for encoded.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } && !text.contains("=?") && text.utf8.first != 0x20
            && text.utf8.last != 0x20
    }

    /// A text with a space for each control character, so that no value can end its line.
    static func printable(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl =
                switch scalar.value {
                case ..<0x20, 0x7F...0x9F, 0x2028, 0x2029: true
                default: false
                }
            result.append(isControl ? " " : scalar)
        }
        return String(result)
    }

    /// The parameter with a file's name (RFC 2183 §2.3; RFC 2231 §4 for other than plain text).
    static func fileName(_ name: String) -> String {
        var name = printable(name)
        while name.utf8.count > 200 { name.unicodeScalars.removeLast() }
        if isPlain(name), name.utf8.count <= 60, !name.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C }) {
            return "filename=\"\(name)\""
        }
        return "\r\n filename*=utf-8''\(PercentEncoding.encoded(name))"
    }

    // MARK: Bodies

    /// A text as quoted-printable lines (RFC 2045 §6.7); any line break of the text becomes CRLF.
    ///
    ///     "=" 2HEXDIG   for a byte that is not printable ASCII, "=", a blank at the end of a line, and a dot at its
    ///                   beginning: SMTP would double that, and libcurl count it twice (RFC 5321 §4.5.2)
    ///     "=" CRLF      a line break that the text does not have
    static func quotedPrintable(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count * 9 / 8)
        let source = Array(text.utf8)
        var (index, column) = (0, 0)
        while index < source.count {
            let byte = source[index]
            if isLineBreak(source, index) {
                output += [0x0D, 0x0A]
                column = 0
                index += byte == 0x0D ? 2 : 1
                continue
            }
            let isAtEnd = index + 1 == source.count || isLineBreak(source, index + 1)
            let isPlain = byte != 0x3D && (0x21...0x7E).contains(byte) || !isAtEnd && (byte == 0x20 || byte == 0x09)
            // A line must have room for the "=" of a line break that follows it.
            if column + (isPlain ? 1 : 3) > width - (isAtEnd ? 0 : 1) {
                output += [0x3D, 0x0D, 0x0A]
                column = 0
            }
            if isPlain, column > 0 || byte != 0x2E {
                output.append(byte)
                column += 1
            } else {
                output += [0x3D, Hexadecimal.capitalDigit(byte >> 4), Hexadecimal.capitalDigit(byte & 15)]
                column += 3
            }
            index += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func isLineBreak(_ bytes: [UInt8], _ index: Int) -> Bool {
        bytes[index] == 0x0A || bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A
    }

    /// Base64 in lines (RFC 2045 §6.8).
    static func base64Lines(_ text: String) -> String {
        var (lines, rest): ([Substring], Substring.UTF8View) = ([], text.utf8[...])
        while !rest.isEmpty {
            lines.append(Substring(rest.prefix(width)))
            rest = rest.dropFirst(width)
        }
        return lines.joined(separator: "\r\n")
    }
}
