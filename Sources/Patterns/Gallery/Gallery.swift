package import PatternCore
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
    private let authService: any AuthServicing
    private let isHTTPS: Bool
    private let isTraced: Bool

    /// - Parameters:
    ///   - delay: How long a login takes.
    ///   - isHTTPS: Whether browsers reach the site over HTTPS.
    package init(delay: Duration, isHTTPS: Bool) {
        self.init(authService: AuthService(delay: delay), isHTTPS: isHTTPS)
    }

    /// - Parameter isTraced: Whether it notes what roles call, which a measurement does without.
    package init(authService: any AuthServicing, isHTTPS: Bool, isTraced: Bool = true) {
        self.authService = authService
        self.isHTTPS = isHTTPS
        self.isTraced = isTraced
    }

    package func routes(_ routes: Routes) {
        let store = MemorySessionStore(maximumCount: 1000)
        routes.add(GalleryController())
        for pattern in Pattern.allCases {
            let visits = Visits(pattern, in: store, isHTTPS: isHTTPS, isTraced: isTraced)
            routes.group(middleware: [visits]) { routes in
                routes.add(ChapterController(pattern: pattern))
                add(pattern, to: routes)
            }
        }
    }

    private func add(_ pattern: Pattern, to routes: Routes) {
        switch pattern {
        case .mvc: routes.add(MVCScene(authService: authService))
        case .mvp: routes.add(MVPScene(authService: authService))
        case .mvpR: routes.add(MVPRScene())
        case .mvvm: routes.add(MVVMScene(authService: authService))
        case .mvvmC: routes.add(MVVMCScene(authService: authService))
        case .viper: routes.add(VIPERScene(authService: authService))
        }
    }
}
