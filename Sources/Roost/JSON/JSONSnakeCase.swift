/// Converts a name to snake case, `userName` to `user_name`, by the rules of FoundationEssentials' encoder.
///
/// A word begins at a capital after the first character. Several capitals in a row are one word, up to the one before a
/// lowercase letter, which begins the next: `userID` is `user_id`, and `myURLProperty` is `my_url_property`.
///
/// That cannot be undone: FoundationEssentials' decoder reads `user_id` as `userId`.
enum JSONSnakeCase {
    static func of(_ name: String) -> String {
        if name.utf8.allSatisfy({ $0 < 0x80 && !(UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0) }) { return name }
        let characters = Array(name)
        var result = ""
        var start = 0
        for cut in cuts(in: characters) + [characters.count] {
            if start > 0 { result += "_" }
            result += String(characters[start..<cut]).lowercased()
            start = cut
        }
        return result
    }

    /// The indices where words begin, except the first.
    private static func cuts(in characters: [Character]) -> [Int] {
        var cuts: [Int] = []
        var index = 1
        // `º` and others are both capital and small to Swift; they begin no word.
        while let capital = characters.indices.dropFirst(index).first(where: {
            characters[$0].isUppercase && !characters[$0].isLowercase
        }) {
            cuts.append(capital)
            guard let small = characters.indices.dropFirst(capital).first(where: { characters[$0].isLowercase }) else {
                break
            }
            if small > capital + 1 { cuts.append(small - 1) }
            index = small
        }
        return cuts
    }
}
