import Roost
import RoostTesting

@testable import App
@testable import PatternCore
@testable import Patterns

/// The gallery alone, whose service takes no time unless a gate holds it up.
enum GallerySite {
    static func application(_ gate: Gate? = nil, isHTTPS: Bool = false) throws -> Application {
        let templates = try Templates(directory: root + "/Templates")
        return try Application(
            templates: templates,
            pageValues: { _ in SiteValues(signedInAs: nil, isSignedOut: true) }
        ) { routes in
            routes.add(Gallery(templates: templates, isHTTPS: isHTTPS) { await gate?.pass() })
        }
    }

    /// A visitor who has not been there.
    static func visitor(_ gate: Gate? = nil) throws -> TestClient {
        TestClient(try application(gate))
    }

    /// The folder of the package.
    static let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }

    /// The form that signs in.
    static let right: Form = ["email": AuthService.email, "password": AuthService.password]
}

extension Pattern {
    /// Those with a login; MVP-R has only the documents' label.
    static let withLogin = allCases.filter { $0 != .mvpR }
}
