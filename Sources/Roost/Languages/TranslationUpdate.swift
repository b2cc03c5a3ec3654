import FoundationEssentials
import Glibc

/// A file of translations with what a translator needs: the texts that it lacked stand at its end, without a
/// translation, and those that are used nowhere have a remark. All else stays as it is.
package struct TranslationUpdate {
    /// The new content of the file.
    let content: String
    /// The texts that it lacked.
    package let added: [String]
    /// The texts that are used nowhere.
    package let unused: [String]
    /// The number of texts that have no translation yet.
    package let openCount: Int

    /// The remark above a text that is used nowhere; `#.` begins the remarks of programs.
    private static let remark = "#. Used nowhere."

    /// - Parameters:
    ///   - old: The content of the file; nil if there is none.
    ///   - path: The file, for errors.
    ///   - texts: The texts that are used, in the order in which they are added.
    /// - Throws: `StartError` with the line of what cannot be read.
    init(of old: String?, language: String, path: String, texts: [String]) throws(StartError) {
        let entries = try TranslationFile(old ?? "", file: path).entries
        let used = Set(texts.map(ExactText.init))
        var known = Set(entries.map { ExactText($0.id) })
        let added = texts.filter { known.insert(ExactText($0)).inserted }
        let rest = entries.filter { !used.contains(ExactText($0.id)) }
        (self.added, unused) = (added, rest.map(\.id))
        openCount = added.count + entries.count { !$0.isTranslated && used.contains(ExactText($0.id)) }
        let lineEnd = old?.utf8.contains(UInt8(ascii: "\r")) ?? false ? "\r\n" : "\n"
        let marked = Self.marked(old ?? Self.head(language), Set(rest.map(\.line)), lineEnd)
        let end = marked.utf8.last
        // A file may end in the middle of the end of a line.
        let start = end == nil || end == UInt8(ascii: "\n") ? "" : end == UInt8(ascii: "\r") ? "\n" : lineEnd
        content = added.reduce(marked + (added.isEmpty ? "" : start)) { content, text in
            content + "\(lineEnd)msgid \"\(Self.escaped(text))\"\(lineEnd)msgstr \"\"\(lineEnd)"
        }
    }

    /// The head by which other programs know the language and how the file is written.
    private static func head(_ language: String) -> String {
        """
        msgid ""
        msgstr ""
        "Language: \(language)\\n"
        "Content-Type: text/plain; charset=UTF-8\\n"

        """
    }

    /// A content with the remark above some of its lines, counted from 1, and nowhere else.
    private static func marked(_ content: String, _ numbers: Set<Int>, _ lineEnd: String) -> String {
        let lines = content.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var text = ""
        for (index, line) in lines.enumerated() {
            if numbers.contains(index + 1) { text += remark + lineEnd }
            let isRemark = line.elementsEqual(remark.utf8) || line.elementsEqual((remark + "\r").utf8)
            if !isRemark { text += (String(line) ?? "") + (index < lines.count - 1 ? "\n" : "") }
        }
        return text
    }

    /// A text as it stands in quotation marks. It goes by bytes: to a `String`, a quotation mark with a combining mark
    /// is another character.
    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "\r"): bytes += "\\r".utf8
            case UInt8(ascii: "\t"): bytes += "\\t".utf8
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension TranslationUpdate {
    /// Brings a file of a folder up to date, `Languages/de.po`, or makes it. One that lacks nothing stays as it is.
    /// - Parameter texts: The texts that are used.
    /// - Throws: `StartError` for a file that cannot be read or written, or that somebody else has changed meanwhile.
    package init(file path: String, language: String, texts: [String]) throws(StartError) {
        // Behind a link, it is the file that is replaced.
        let target = URL(filePath: path).resolvingSymlinksInPath().path
        let old = try Self.content(of: target)
        self = try TranslationUpdate(of: old, language: language, path: path, texts: texts)
        guard content != old else { return }
        guard try Self.content(of: target) == old else {
            throw .configuration("\(LogText.escaped(path)) has been changed meanwhile; try again.")
        }
        do {
            try Data(content.utf8).write(to: URL(filePath: target), options: .atomic)
        } catch {
            throw .configuration("\(LogText.escaped(path)) cannot be written: is its folder there?")
        }
    }

    /// The content of a file; nil if there is none. One that is there and cannot be read is not overwritten.
    private static func content(of path: String) throws(StartError) -> String? {
        var facts = stat()
        if lstat(path, &facts) != 0, errno == ENOENT { return nil }
        return try TranslationFile.content(of: path)
    }

    /// The languages of a folder and their files, such as `de` and `de.po`. No language has a dot in its name: what
    /// editors and systems leave, such as `.#de.po` and `de.old.po`, is none.
    /// - Throws: `StartError` for a folder that cannot be read, and for a file whose name is no language.
    package static func files(in folder: String) throws(StartError) -> [(language: String, name: String)] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw .configuration("\(LogText.escaped(folder)) is no folder that can be read; make it.")
        }
        var files: [(language: String, name: String)] = []
        for name in names.filter({ $0.hasSuffix(".po") }).sorted() {
            let language = name.dropLast(3).replacing("_", with: "-")
            if !language.isEmpty, !language.utf8.contains(UInt8(ascii: ".")) { files.append((String(language), name)) }
        }
        // As `sr@latin`, which gettext writes.
        if let file = files.first(where: { !$0.language.utf8.allSatisfy { $0.isLetterOrDigit || $0 == 0x2D } }) {
            let path = LogText.escaped("\(folder)/\(file.name)")
            throw .configuration("\(path) is named by no language: write it as BCP 47 does, sr-Latn.po.")
        }
        return files
    }
}
