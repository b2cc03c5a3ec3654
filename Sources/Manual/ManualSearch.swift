import Glibc

/// A search for the sections of the manual that have all words of a query, in any order and any case.
package struct ManualSearch: Sendable {
    /// A section that was found.
    package struct Result: Encodable, Sendable {
        /// The title of its page.
        package let title: String
        /// Its heading; empty where that is the page's title.
        package let heading: String
        /// The path of the page with the section's anchor.
        package let url: String
        /// Some words around the first match.
        package let excerpt: String
    }

    /// The most results of a query.
    package static let maximumResults = 30
    /// The most words of a query that are looked for; any after them are ignored.
    static let maximumWords = 8
    /// The longest query in bytes; what follows is ignored.
    static let maximumSize = 200

    private struct Place {
        let page: ManualPage
        let section: ManualSection
        let heading: [UInt8]
        /// The words in lower case, each but the last followed by a blank.
        let text: [UInt8]
        /// The same as they are written, for excerpts, without the bars and lines of tables.
        let words: [String]

        init(_ section: ManualSection, of page: ManualPage) {
            (self.page, self.section) = (page, section)
            heading = Array((page.title + " " + section.heading).lowercased().utf8)
            words = section.text.utf8.split { $0 <= 0x20 }.filter { !$0.allSatisfy { "|-:".utf8.contains($0) } }
                .map { String(Substring($0)) }
            text = Array(words.joined(separator: " ").lowercased().utf8)
        }
    }

    private let places: [Place]

    /// A search in all pages of a manual but the front page, which only lists the others.
    package init(_ manual: Manual) {
        let pages = manual.pages.values.filter { !$0.name.isEmpty }.sorted { $0.name < $1.name }
        places = pages.flatMap { page in page.sections.map { Place($0, of: page) } }
    }

    /// Returns the sections that have all words, those first that have them in their headings.
    package func results(for query: String) -> [Result] {
        let words = String(decoding: query.utf8.prefix(Self.maximumSize), as: UTF8.self).lowercased()
            .split { $0.isWhitespace }.prefix(Self.maximumWords).map { Array($0.utf8) }
        guard !words.isEmpty else { return [] }
        let found = places.map { (score: Self.score(words, $0), place: $0) }.filter { $0.score > 0 }
        // The order of equals stays: swift's sort is stable.
        return found.sorted { $0.score > $1.score }.prefix(Self.maximumResults).map { _, place in
            let (page, section) = (place.page, place.section)
            let isTitle = section.level == 1
            return Result(
                title: page.title, heading: isTitle ? "" : section.heading,
                url: isTitle ? page.path : "\(page.path)#\(section.anchor)",
                excerpt: Self.excerpt(of: place, around: words[0]))
        }
    }

    /// The most occurrences of a word that count: what has more is not more to the point.
    private static let maximumCount = 10

    /// Thirty for each word in the headings, ten for each in the text and one for each time that it occurs there; 0 if
    /// a word is missing.
    private static func score(_ words: [[UInt8]], _ place: Place) -> Int {
        var score = 0
        for word in words {
            let inHeading = offset(of: word, in: place.heading[...]) != nil
            let count = count(of: word, in: place.text)
            guard inHeading || count > 0 else { return 0 }
            score += (inHeading ? 30 : 0) + (count > 0 ? 10 + count : 0)
        }
        return score
    }

    /// The number of times that a word occurs in a text, at most ``maximumCount``.
    private static func count(of word: [UInt8], in text: [UInt8]) -> Int {
        var count = 0
        var start = 0
        while count < maximumCount, let place = offset(of: word, in: text[start...]) {
            count += 1
            start += place + word.count
        }
        return count
    }

    /// The place of a word, which is not empty, in a text; nil if it is not there. (The standard library's search takes
    /// a hundred times as long.)
    private static func offset(of word: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        text.withUnsafeBytes { text in
            word.withUnsafeBytes { word in
                guard let start = text.baseAddress, let sought = word.baseAddress else { return nil }
                var place = start
                var rest = text.count
                while rest >= word.count, let found = memchr(place, Int32(word[0]), rest - word.count + 1) {
                    if memcmp(found, sought, word.count) == 0 { return UnsafeRawPointer(found) - start }
                    rest -= UnsafeRawPointer(found) + 1 - place
                    place = UnsafeRawPointer(found) + 1
                }
                return nil
            }
        }
    }

    /// Some words of a place, around the first that has a sought one.
    private static func excerpt(of place: Place, around word: [UInt8]) -> String {
        let before = place.text[..<(offset(of: word, in: place.text[...]) ?? 0)]
        let match = before.count(where: { $0 == 0x20 })
        let words = place.words
        let first = max(0, match - 8), end = min(words.count, match + 18)
        let part = words[min(first, end)..<end].joined(separator: " ")
        return (first > 0 ? "… " : "") + part + (end < words.count ? " …" : "")
    }
}
