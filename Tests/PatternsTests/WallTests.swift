import PatternCore
import RoostTesting
import Testing

@testable import Patterns

/// Each role keeps to its part: read from the sources that the gallery shows.
@Suite("The walls between roles", .timeLimit(.minutes(5)))
struct WallTests {
    /// Which parts may use which, besides the entry, which puts all together, and pages: `as` means as a protocol, and
    /// `tells` without knowing who listens. A wall that is missing here is one that the pattern does not have.
    private static let allowed: [Pattern: Set<String>] = [
        .mvc: ["logic uses logic", "logic uses model", "logic uses page", "logic uses model as protocol"],
        .mvp: [
            "view uses logic", "view uses view", "view uses page", "logic uses view as protocol", "logic uses model",
            "logic uses model as protocol",
        ],
        .mvpR: [
            "view uses logic as protocol", "view uses page", "logic uses view as protocol", "logic uses model",
            "logic uses navigation as protocol", "navigation uses view", "navigation uses logic",
            "navigation uses model",
        ],
        .mvvm: [
            "view uses logic", "view uses view", "view uses page", "logic tells view", "logic uses logic",
            "logic uses model as protocol",
        ],
        .mvvmC: [
            "view uses logic", "view uses page", "logic tells view", "logic tells navigation", "logic uses model",
            "logic uses model as protocol", "logic uses navigation as protocol", "navigation uses navigation",
            "navigation tells navigation", "navigation uses view", "navigation uses logic", "navigation uses model",
            "navigation uses model as protocol", "model uses model",
        ],
        .viper: [
            "view uses logic as protocol", "view uses page", "logic uses view as protocol",
            "logic uses useCase as protocol", "logic uses navigation as protocol", "logic uses model",
            "useCase uses logic as protocol", "useCase uses model", "useCase uses model as protocol",
            "navigation uses navigation", "navigation uses view", "navigation uses logic", "navigation uses useCase",
            "navigation uses model as protocol", "model uses model",
        ],
    ]

    @Test(arguments: Chapter.all)
    func `a role uses only the parts that it may`(chapter: Chapter) throws {
        let allowed = try #require(Self.allowed[chapter.pattern])
        var found: Set<String> = []
        for feature in chapter.features {
            let parts = Dictionary(uniqueKeysWithValues: (feature.roles + feature.shared).map { ($0.name, $0.part) })
            for relation in feature.relations {
                let (from, to) = (try #require(parts[relation.from]), try #require(parts[relation.to]))
                guard from != .entry else { continue }
                let sentence =
                    switch relation.kind {
                    case .direct: "\(from) uses \(to)"
                    case .protocol: "\(from) uses \(to) as protocol"
                    case .callback: "\(from) tells \(to)"
                    }
                #expect(allowed.contains(sentence), "\(chapter.pattern): \(relation.description)")
                found.insert(sentence)
            }
        }
        #expect(allowed.subtracting(found) == [], "the table allows what no role does")
    }

    /// Presenters, view models, interactors, protocols and the model; in MVC, the controller is the one with HTTP.
    @Test(arguments: Chapter.all)
    func `what decides knows nothing of HTTP`(chapter: Chapter) {
        for role in chapter.features.flatMap(\.roles) {
            guard [.logic, .useCase, .contract, .model].contains(role.part), chapter.pattern != .mvc else { continue }
            // A protocol of coordinators has what a coordinator has.
            guard role.name != "Coordinator" else { continue }
            #expect(role.isWithoutHTTP, "\(role.file.path) imports \(role.file.imports)")
            for word in ["Request", "Response", "Navigation", "Visitor", "HTTPError", "Path"] {
                #expect(!role.file.words.contains(word), "\(role.file.path) names \(word)")
            }
        }
    }

    /// Where to go next is decided by coordinators and routers alone, where a pattern has them; otherwise by views, and
    /// in MVC by controllers.
    @Test(arguments: Chapter.all)
    func `one part leads on`(chapter: Chapter) {
        let leader: Part =
            switch chapter.pattern {
            case .mvc: .logic
            case .mvp, .mvvm: .view
            case .mvpR, .mvvmC, .viper: .navigation
            }
        for role in chapter.features.flatMap(\.roles) where role.part != leader {
            #expect(!role.file.text.contains("navigation.go("), "\(role.file.path)")
            #expect(!role.file.text.contains(".redirect("), "\(role.file.path)")
            #expect(!role.file.text.contains("Path(\""), "\(role.file.path)")
        }
    }

    @Test(arguments: ["CountItem", "Profile", "User", "DetailModel"])
    func `entities import nothing`(name: String) throws {
        let file = try #require(SourceFile.all.first { $0.name == name })
        #expect(file.imports == [])
    }

    @Test func `the model that all share knows no web`() {
        let core = SourceFile.all.filter { $0.path.hasPrefix("Core/") }
        #expect(core.count > 5)
        for file in core { #expect(file.imports.subtracting(["Synchronization"]) == [], "\(file.path)") }
    }

    @Test(arguments: Chapter.all)
    func `every file of a pattern is shown`(chapter: Chapter) {
        let all = SourceFile.all.filter { $0.path.hasPrefix(chapter.pattern.folder + "/") }.map(\.name)
        let shown = chapter.features.flatMap(\.roles).map(\.name)
        #expect(Set(all) == Set(shown + ["\(chapter.pattern.folder)Scene"]))
    }

    @Test func `a file has one type, except for the protocols of a module`() {
        for file in SourceFile.all where file.name != "LoginProtocols" {
            #expect(file.types.count <= 1, "\(file.path) declares \(file.types)")
            #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 120, "\(file.path)")
        }
    }
}
