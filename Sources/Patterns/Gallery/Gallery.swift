import PatternCore
import PatternMVC
import PatternMVP
import PatternMVPR
import PatternMVVM
import PatternMVVMC
import PatternScreens
import PatternVIPER
package import Roost

/// The gallery: the same features in several architectures, under `/patterns`.
package struct Gallery: Controller {
    private let templates: Templates
    private let isHTTPS: Bool
    private let isTraced: Bool
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - templates: The templates of the site, for what live pages show.
    ///   - delay: The time that a login takes.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    package init(templates: Templates, delay: Duration, isHTTPS: Bool) {
        self.init(templates: templates, isHTTPS: isHTTPS) { if delay > .zero { try await Task.sleep(for: delay) } }
    }

    /// - Parameters:
    ///   - isTraced: Whether it notes what roles call, which a measurement does without.
    ///   - pause: The wait of a login, before it is answered.
    package init(
        templates: Templates, isHTTPS: Bool, isTraced: Bool = true, pause: @escaping @Sendable () async throws -> Void
    ) {
        self.templates = templates
        self.isHTTPS = isHTTPS
        self.isTraced = isTraced
        self.pause = pause
    }

    package func routes(_ routes: Routes) throws {
        let store = MemorySessionStore(maximumCount: 1000)
        routes.add(GalleryController())
        for pattern in Pattern.allCases {
            let visits = Visits(pattern, in: store, pause: pause, isHTTPS: isHTTPS, isTraced: isTraced)
            let scene = try scene(pattern)
            routes.group(middleware: [visits]) { routes in
                routes.get(Path(pattern.path)) { request in
                    let calls = (try request.visitor["trace"] ?? "").split(separator: "\n").map(String.init)
                    // Not stored, so that the Back button asks again, and shows what has been called since.
                    return View(
                        "patterns/chapter", ChapterPage(pattern, calls: calls), headers: [.cacheControl: "no-store"])
                }
                routes.add(scene)
            }
        }
    }

    private func scene(_ pattern: Pattern) throws -> any Controller {
        switch pattern {
        case .mvc: MVCScene()
        case .mvp: MVPScene()
        case .mvpR: MVPRScene()
        case .mvvm: try MVVMScene(templates: templates)
        case .mvvmC: MVVMCScene()
        case .viper: VIPERScene()
        }
    }
}
