import Glibc

/// The framework's sources as text.
enum Sources {
    struct File {
        let name: String
        let text: String
        /// The identifiers outside comments and strings.
        let words: [String]

        /// The name of the file without its folders and suffix.
        var baseName: String { String(name.split(separator: "/").last?.dropLast(".swift".count) ?? "") }

        var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }
    }

    /// The files of a room; of all rooms for an empty name.
    static func files(_ room: String) -> [File] {
        all.filter { room.isEmpty || $0.key.hasPrefix(room + "/") }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The types that the rooms declare, each with its room, the first folder of its path; without nested ones and
    /// extensions.
    static let declared: [String: String] = {
        var declared: [String: String] = [:]
        for (path, file) in all {
            guard let room = path.split(separator: "/").dropLast().first else { continue }
            for line in file.text.split(separator: "\n") where !line.hasPrefix(" ") && !line.hasPrefix("//") {
                let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "@") }.map(String.init)
                guard !words.contains("extension"), !words.contains("private"), !words.contains("import"),
                    let keyword = words.firstIndex(where: { ["struct", "class", "enum", "protocol"].contains($0) }),
                    keyword + 1 < words.count
                else { continue }
                declared[words[keyword + 1]] = String(room)
            }
        }
        return declared
    }()

    private static let all: [String: File] = {
        var files: [String: File] = [:]
        for path in paths(below: "Sources/Roost") {
            let text = Readme.contents(path)
            let name = String(path.dropFirst("Sources/Roost/".count))
            files[name] = File(name: name, text: text, words: identifiers(in: text))
        }
        return files
    }()

    /// The Swift files below a folder of the package.
    static func paths(below folder: String) -> [String] {
        guard let directory = opendir(Readme.root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var paths: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(".") { continue }
            let path = folder + "/" + name
            if name.hasSuffix(".swift") { paths.append(path) } else { paths += Self.paths(below: path) }
        }
        return paths
    }

    private static func identifiers(in text: String) -> [String] {
        text.split(separator: "\n").flatMap { line -> [String] in
            code(in: line).split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        }
    }

    /// The part of a line that is outside comments and strings.
    static func code(in line: Substring) -> Substring {
        line.components(outside: "\"").joined(separator: " ").prefix(upTo: "//")
    }
}

extension Substring {
    /// Every second part between the separators, beginning with the first.
    fileprivate func components(outside separator: Character) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }
}

extension String {
    fileprivate func prefix(upTo mark: String) -> Substring {
        firstRange(of: mark).map { self[..<$0.lowerBound] } ?? self[...]
    }
}
