/// Strings (RFC 8259 §7) in UTF-8 (RFC 3629 §4).
///
///     string = %x22 *char %x22
///     char   = unescaped / %x5C ( %x22 / %x5C / %x2F / %x62 / %x66 / %x6E / %x72 / %x74 / %x75 4HEXDIG )
extension JSONScanner {
    /// Skips a string, including both quotation marks.
    mutating func string() throws(JSONSyntaxError) -> JSONNames.Name {
        index &+= 1
        let start = index
        var isComposed = false
        while true {
            skipPlainText()
            switch current {
            case UInt8(ascii: "\""):
                index &+= 1
                return JSONNames.Name(start: start, end: index &- 1, isComposed: isComposed)
            case UInt8(ascii: "\\"):
                isComposed = true
                _ = try escape()
            case .some(0x80...): isComposed = try foreignCharacters() || isComposed
            default: throw failure(.controlCharacter)
            }
        }
    }

    /// Passes ASCII that stands for itself, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlainText() {
        guard let base = bytes.baseAddress else { return }
        while bytes.count &- index >= 8 {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            let special = JSONEscaping.specials(in: word) | word & EscapingCopy.every(0x80)
            guard special == 0 else {
                index &+= special.trailingZeroBitCount &>> 3
                return
            }
            index &+= 8
        }
        while let byte = current, byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            index &+= 1
        }
    }

    /// Passes an escape. Returns what it stands for.
    fileprivate mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        index &+= 1
        if current == UInt8(ascii: "u") { return try escapedScalar() }
        let scalar: Unicode.Scalar =
            switch current {
            case UInt8(ascii: "\""): "\""
            case UInt8(ascii: "\\"): "\\"
            case UInt8(ascii: "/"): "/"
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{C}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            default: throw failure(.invalidEscape)
            }
        index &+= 1
        return scalar
    }

    /// Passes `u` and four digits. After a high surrogate, the escape of a low one must follow (RFC 8259 §8.2).
    private mutating func escapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
        let lone = JSONSyntaxError(offset: index &- 1, reason: .loneSurrogate)
        let high = try codeUnit()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard high < 0xDC00 else { throw lone }
        for expected in "\\u".utf8 {
            guard let current else { throw failure(.endsEarly) }
            guard current == expected else { throw lone }
            if expected == UInt8(ascii: "\\") { index &+= 1 }
        }
        let low = try codeUnit()
        guard 0xDC00...0xDFFF ~= low, let scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF) else {
            throw lone
        }
        return scalar
    }

    /// Passes `u` and four hexadecimal digits.
    private mutating func codeUnit() throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            index &+= 1
            guard let digit = current.flatMap(Hexadecimal.value) else { throw failure(.invalidEscape) }
            value = value << 4 | UInt32(digit)
        }
        index &+= 1
        return value
    }
}

extension JSONNames.Name {
    /// Whether it stands for another text, byte for byte.
    func isEqual(to other: String, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        isComposed
            ? self.text(in: text).utf8.elementsEqual(other.utf8) : raw(in: text).elementsEqual(other.utf8)
    }

    /// The text that it stands for, in one in which the scanner has passed it.
    func text(in text: UnsafeBufferPointer<UInt8>) -> String {
        let raw = raw(in: text)
        guard raw.firstOffset(of: UInt8(ascii: "\\")) != nil else { return String(decoding: raw, as: UTF8.self) }
        var scanner = JSONScanner(raw, maximumDepth: 0)
        var utf8: [UInt8] = []
        utf8.reserveCapacity(raw.count)
        while let byte = scanner.current {
            if byte == UInt8(ascii: "\\"), let scalar = try? scanner.escape() {
                utf8.append(contentsOf: scalar.utf8)
            } else {
                utf8.append(byte)
                scanner.index &+= 1
            }
        }
        return String(decoding: utf8, as: UTF8.self)
    }
}

// MARK: - UTF-8

extension JSONScanner {
    /// Passes characters outside ASCII. Returns whether one is U+0300 or above: its first byte is 0xCC or above.
    private mutating func foreignCharacters() throws(JSONSyntaxError) -> Bool {
        var highest: UInt8 = 0
        while let lead = current, lead >= 0x80 {
            try foreignCharacter(lead)
            highest = max(highest, lead)
        }
        return highest >= 0xCC
    }

    ///     UTF8-2 = %xC2-DF UTF8-tail
    ///     UTF8-3 = %xE0 %xA0-BF UTF8-tail / %xE1-EC 2( UTF8-tail ) / %xED %x80-9F UTF8-tail / %xEE-EF 2( UTF8-tail )
    ///     UTF8-4 = %xF0 %x90-BF 2( UTF8-tail ) / %xF1-F3 3( UTF8-tail ) / %xF4 %x80-8F 2( UTF8-tail )
    private mutating func foreignCharacter(_ lead: UInt8) throws(JSONSyntaxError) {
        switch lead {
        case 0xC2...0xDF: try tail(0x80...0xBF, more: 0)
        case 0xE0: try tail(0xA0...0xBF, more: 1)
        case 0xED: try tail(0x80...0x9F, more: 1)
        case 0xE1...0xEF: try tail(0x80...0xBF, more: 1)
        case 0xF0: try tail(0x90...0xBF, more: 2)
        case 0xF1...0xF3: try tail(0x80...0xBF, more: 2)
        case 0xF4: try tail(0x80...0x8F, more: 2)
        default: throw failure(.invalidUTF8)
        }
    }

    /// Passes a first byte, a second one in a range, and more of any value.
    @inline(__always)
    private mutating func tail(_ second: ClosedRange<UInt8>, more: Int) throws(JSONSyntaxError) {
        index &+= 1
        guard let byte = current, second ~= byte else { throw failure(.invalidUTF8) }
        index &+= 1
        for _ in 0..<more {
            guard let byte = current, 0x80...0xBF ~= byte else { throw failure(.invalidUTF8) }
            index &+= 1
        }
    }
}
