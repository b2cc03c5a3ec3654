import Glibc

// An asset's name stands for its URL, which is known when templates are read. So it is put in place before anything
// else looks at the template:
//
//     asset = "{{asset(" DQUOTE 1*( any byte but DQUOTE, CR, LF ) DQUOTE ")}}"

extension TemplateSource {
    private static let opening = Array("{{asset(\"".utf8)
    private static let closing = Array("\")}}".utf8)

    /// The same template with the URLs of the assets that it names.
    /// - Throws: A ``TemplateError`` for an asset that is not there, or whose name does not end.
    func naming(_ assets: (any AssetFolder)?) throws -> TemplateSource {
        var output: [UInt8] = []
        var rest = bytes[...]
        while let start = placeOfAsset(from: rest.startIndex) {
            let name = rest[(start + Self.opening.count)...].prefix {
                $0 != UInt8(ascii: "\"") && $0 != 0x0A && $0 != 0x0D
            }
            guard !name.isEmpty, rest[name.endIndex...].starts(with: Self.closing) else {
                throw TemplateError("write an asset as {{asset(\"style.css\")}}", at: location(of: start))
            }
            output += rest[..<start]
            do {
                let name = String(decoding: name, as: UTF8.self)
                output += try (assets?.asset(name) ?? "/" + name).utf8
            } catch {
                throw TemplateError("\(error)", at: location(of: start))
            }
            rest = rest[(name.endIndex + Self.closing.count)...]
        }
        if output.isEmpty, rest.count == bytes.count { return self }
        return TemplateSource(name: name, file: file, bytes: output + rest)
    }

    /// Returns the offset at which the next asset is named; nil if there is none. It looks for the parenthesis, which
    /// is rare in templates, with the C library, which takes many bytes at a time.
    private func placeOfAsset(from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
            while let found = memchr(base + place, Int32(UInt8(ascii: "(")), bytes.count - place) {
                place = base.distance(to: UnsafeRawPointer(found)) + 1
                let begin = place - Self.opening.count + 1
                if begin >= start, bytes[begin...].starts(with: Self.opening) { return begin }
            }
            return nil
        }
    }
}
