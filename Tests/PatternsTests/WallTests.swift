import PatternCore
import Testing

@testable import Patterns

/// Each role keeps to its part: read from the sources that the gallery shows. Who names whom is in `DiagramTests`.
@Suite("The walls between roles", .timeLimit(.minutes(5)))
struct WallTests {
    private static let sources = SourceFile.all.filter { $0.path.hasSuffix(".swift") }

    /// In MVC, the controller is the one with HTTP. All others are modules without it, so this is a matter of imports.
    @Test(arguments: Pattern.allCases.filter { $0 != .mvc })
    func `what decides knows nothing of HTTP`(pattern: Pattern) {
        for source in Chapter.of(pattern).features.flatMap(\.sources)
        where [.presenter, .viewModel, .interactor, .protocols, .model].contains(source.part) {
            #expect(source.file.isWithoutHTTP, "\(source.file.path)")
        }
    }

    /// The next screen is decided by coordinators and routers alone, where a pattern has them; otherwise by views, and
    /// in MVC by controllers.
    @Test(arguments: Pattern.allCases)
    func `one part leads on`(pattern: Pattern) {
        let leader: Part =
            switch pattern {
            case .mvc: .controller
            case .mvp, .mvvm: .view
            case .mvvmC: .coordinator
            case .mvpR, .viper: .router
            }
        for source in Chapter.of(pattern).features.flatMap(\.sources) where source.part != leader {
            for word in ["navigation.go(", ".redirect(", "Path(\""] {
                #expect(!source.file.text.contains(word), "\(source.file.path)")
            }
        }
    }

    /// The model remembers the visitor who has signed in, whichever role leads on from there.
    @Test func `only the model writes into the session`() {
        for file in Self.sources where file.text.contains("\"] =") {
            #expect(["AuthService", "CounterModel", "Visits", "Visitor"].contains(file.name), "\(file.path)")
        }
    }

    @Test func `the model that all share knows no web, and entities import nothing`() {
        let core = Self.sources.filter { $0.path.hasPrefix("Core/") }
        #expect(core.count > 5)
        for file in core { #expect(file.isWithoutHTTP, "\(file.path)") }
        for file in Self.sources where ["CountItem", "Profile", "User", "DetailModel"].contains(file.name) {
            #expect(!file.text.contains("import "), "\(file.path)")
        }
    }

    @Test(arguments: Pattern.allCases)
    func `every file of a pattern is shown, once`(pattern: Pattern) {
        let chapter = Chapter.of(pattern)
        let shown = (chapter.entry + chapter.features.flatMap(\.sources)).map(\.file.path)
        #expect(shown.sorted() == Self.sources.map(\.path).filter { $0.hasPrefix(pattern.folder + "/") }.sorted())
        #expect(!chapter.diagram.isEmpty)
    }
}
