import Glibc

/// A search for the sections of the manual that have all words of a query, in any order and any case.
public struct ManualSearch: Sendable {
    /// A section that was found.
    public struct Result: Sendable {
        /// The title of its page.
        public let title: String
        /// Its heading; empty where that is the page's title.
        public let heading: String
        /// The path of the page with the section's anchor.
        public let url: String
        /// Some words around the first match.
        public let excerpt: String
    }

    /// The most results of a query.
    public static let maximumResults = 30
    /// The most words of a query that are looked for; any after them are ignored.
    static let maximumWords = 8
    /// The longest query in bytes; what follows is ignored.
    static let maximumSize = 200

    private struct Place {
        let result: Result
        let heading: [UInt8]
        let text: [UInt8]
        /// The same as it is written, for excerpts.
        let original: String
    }

    private let places: [Place]

    /// A search in all pages of a manual but the front page, which only lists the others.
    public init(_ manual: Manual) {
        let pages = manual.pages.values.filter { !$0.name.isEmpty }.sorted { $0.name < $1.name }
        places = pages.flatMap { page in page.sections.map { Self.place($0, page) } }
    }

    private static func place(_ section: ManualSection, _ page: ManualPage) -> Place {
        let isTitle = section.level == 1
        let result = Result(
            title: page.title, heading: isTitle ? "" : section.heading,
            url: isTitle ? page.path : "\(page.path)#\(section.anchor)", excerpt: "")
        return Place(
            result: result, heading: Array((page.title + " " + section.heading).lowercased().utf8),
            text: Array(section.text.lowercased().utf8),
            original: section.text)
    }

    /// Returns the sections that have all words, those first that have them in their headings.
    public func results(for query: String) -> [Result] {
        let words = String(decoding: query.utf8.prefix(Self.maximumSize), as: UTF8.self).lowercased()
            .split { $0.isWhitespace }.prefix(Self.maximumWords).map { Array($0.utf8) }
        guard !words.isEmpty else { return [] }
        var found: [(score: Int, place: Place)] = []
        for place in places {
            let score = Self.score(words, place)
            if score > 0 { found.append((score, place)) }
        }
        // The order of equals stays: swift's sort is stable.
        return found.sorted { $0.score > $1.score }.prefix(Self.maximumResults).map { _, place in
            Result(
                title: place.result.title, heading: place.result.heading, url: place.result.url,
                excerpt: Self.excerpt(of: place.original, around: words[0]))
        }
    }

    /// Three for each word in the headings, one for each in the text; 0 if a word is missing.
    private static func score(_ words: [[UInt8]], _ place: Place) -> Int {
        var score = 0
        for word in words {
            let inHeading = contains(place.heading, word), inText = contains(place.text, word)
            guard inHeading || inText else { return 0 }
            score += (inHeading ? 3 : 0) + (inText ? 1 : 0)
        }
        return score
    }

    /// Whether a text has a word, which is not empty. (The standard library's search takes a hundred times as long.)
    private static func contains(_ text: [UInt8], _ word: [UInt8]) -> Bool {
        text.withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard var place = text.baseAddress, let sought = word.baseAddress else { return false }
                var rest = text.count
                while rest >= word.count, let found = memchr(place, Int32(word[0]), rest - word.count + 1) {
                    if memcmp(found, sought, word.count) == 0 { return true }
                    rest -= UnsafeRawPointer(found) + 1 - place
                    place = UnsafeRawPointer(found) + 1
                }
                return false
            }
        }
    }

    /// Some words of a text, without the bars and lines of tables.
    private static func excerpt(of text: String, around word: [UInt8]) -> String {
        let words = text.split { $0.isWhitespace }.filter { !$0.allSatisfy { "|-:".contains($0) } }
        let match = words.firstIndex { contains(Array($0.lowercased().utf8), word) } ?? 0
        let first = max(0, match - 8), end = min(words.count, match + 18)
        let part = words[first..<end].joined(separator: " ")
        return (first > 0 ? "… " : "") + part + (end < words.count ? " …" : "")
    }
}
