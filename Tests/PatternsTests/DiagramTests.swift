import FoundationEssentials
import PatternCore
import Testing

@testable import Patterns

/// The diagrams are drawn by hand; what they say is what the sources say. An arrow's title is
/// `LoginPresenter → LoginViewController, as LoginView: showError`.
@Suite("The diagrams", .timeLimit(.minutes(5)))
struct DiagramTests {
    private static let features = Chapter.all.flatMap(\.features)

    @Test(arguments: features)
    func `every role has a box, and every box is a role`(feature: Feature) throws {
        let boxes = feature.diagram.components(between: "font-weight=\"600\">", and: "<")
        let roles = feature.sources.filter { $0.part != .protocols && $0.file.name != "Coordinator" }
        #expect(Set(boxes).isSuperset(of: roles.map(\.file.name)))
        for box in boxes where box != "Browser" { _ = try file(box, feature) }
    }

    @Test(arguments: features)
    func `an arrow is in the sources`(feature: Feature) throws {
        let arrow = /<g class="(\w+)">\s*<title>(\w+) → (\w+)(?:, as (\w+))?: ([\w, ]+)<\/title>/
        let matches = feature.diagram.matches(of: arrow)
        #expect(matches.count > 1)
        for match in matches {
            let (_, kind, from, to, proto, members) = match.output
            let (caller, called) = (try file(String(from), feature), try file(String(to), feature))
            for member in members.split(separator: ", ").map(String.init) {
                let isRight =
                    switch kind {
                    case "calls": calls(caller, called, member)
                    case "knows": knows(caller, called, member, as: String(proto ?? ""))
                    default: tells(caller, called, member)
                    }
                #expect(isRight, "\(feature.pattern), \(feature.name): \(from) \(kind) \(to): \(member)")
            }
        }
    }

    /// Solid: one names the other, by its type or by a property that is called like that, and its member.
    private func calls(_ caller: SourceFile, _ called: SourceFile, _ member: String) -> Bool {
        if member == "init" { return caller.text.contains(called.name + "(") }
        let property = called.name.prefix(1).lowercased() + called.name.dropFirst()
        return !caller.words.isDisjoint(with: [called.name, property]) && caller.words.contains(member)
            && called.declares(member)
    }

    /// Dashed: one names a protocol, to which the other conforms, and not the other.
    private func knows(_ caller: SourceFile, _ called: SourceFile, _ member: String, as proto: String) -> Bool {
        let declaring = SourceFile.all.first { $0.text.contains("protocol \(proto):") && $0.declares(member) }
        return caller.words.isSuperset(of: [proto, member]) && !caller.words.contains(called.name)
            && called.words.contains(proto) && declaring != nil
    }

    /// Dotted: one has a closure or a value that the other sets or follows, and does not name the other.
    private func tells(_ caller: SourceFile, _ called: SourceFile, _ member: String) -> Bool {
        caller.declares(member) && called.words.contains(member) && !caller.words.contains(called.name)
    }

    private func file(_ name: String, _ feature: Feature) throws -> SourceFile {
        try #require(
            [feature.pattern.folder + "/" + feature.name, feature.pattern.folder, "Core", "Screens"].lazy
                .compactMap { folder in
                    SourceFile.all.first { $0.name == name && $0.path.hasPrefix(folder) && $0.path.hasSuffix(".swift") }
                }.first, "\(feature.pattern) has no \(name)")
    }

    /// They are shown to people with a strict content security policy, in light and dark.
    @Test(arguments: SourceFile.all.filter { $0.path.hasSuffix(".svg") }.map(\.path))
    func `a diagram has no style, script or colour of its own`(path: String) throws {
        let text = try #require(SourceFile.all.first { $0.path == path }).text
        for word in ["style", "script", "href", "#"] { #expect(!text.contains(word)) }
        #expect(text.contains("aria-label=") && text.contains("stroke=\"currentColor\""))
    }

    /// Each name in a chapter's words must be somewhere in the sources.
    @Test(arguments: Pattern.allCases)
    func `the words of a chapter name what is there`(pattern: Pattern) throws {
        let text = try ["chapters", "walks"].map { folder in
            let path = GallerySite.root + "/Templates/patterns/\(folder)/\(pattern.rawValue).mustache"
            return try String(contentsOfFile: path, encoding: .utf8)
        }.joined()
        let words = SourceFile.all.reduce(into: Set<String>()) { $0.formUnion($1.words.union([$1.name])) }
        let names = text.components(between: "<code>", and: "</code>").filter { !$0.hasPrefix("$") }
        #expect(names.count > 3)
        for name in names.flatMap({ $0.split(separator: ".") }) { #expect(words.contains(String(name)), "\(name)") }
    }
}

extension Feature: CustomTestStringConvertible {
    /// The feature by name, since its sources are long.
    public var testDescription: String { "\(name) of \(pattern.name)" }
}

extension SourceFile {
    /// The words outside comments.
    fileprivate var words: Set<String> {
        let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        return Set(lines.flatMap { $0.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init) })
    }

    fileprivate func declares(_ member: String) -> Bool {
        ["func \(member)(", "var \(member):", "var \(member) =", "let \(member):", "let \(member) ="].contains(
            where: text.contains)
    }
}
