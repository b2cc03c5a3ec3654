import Roost
import RoostAuth
import RoostSQL

// The programs of docs/sign-in.md, letter for letter.

func makeNestSite(_ database: Database, key: SigningKey) throws -> Application {
    let auth = Auth(database, key: key, isHTTPS: true)
    let migrations = [Migration("sessions", sql: SQLSessionStore.schema)] + AuthMigrations.all
    let middleware = Application.standardMiddleware(isHTTPS: true) + [Sessions(auth.sessions, isHTTPS: true)]
    let services: [any Service] = [database, Migrator(database, migrations), auth]
    return try Application(services: services, middleware: middleware) { routes in
        routes.post(Path("/login")) { request -> Response in
            let input = try request.decode(SignInInput.self)
            return try await auth.signIn(input, request).response(.redirect(to: input.localNext ?? "/me"))
        }
        routes.group(middleware: [auth.requireUser()]) { routes in
            routes.get(Path("/me")) { request in try await request.currentUser?.email ?? "nobody" }
        }
    }
}

func declareNests(_ routes: Routes, _ auth: Auth) {
    routes.group(middleware: [auth.requireUser(scope: "nests:write")]) { routes in
        routes.post(Path("/nests")) { request in try await request.currentUser?.email ?? "nobody" }
    }
    routes.group(middleware: [auth.requireUser { $0.roles.contains("admin") }]) { routes in
        routes.get(Path("/admin")) { _ in "welcome" }
    }
}

struct Keeper: Sendable {
    let id: Int
    let isAdmin: Bool

    func mayChange(_ nest: Nest) -> Bool { isAdmin || nest.keeper == id }
}

extension Request {
    var keeper: Keeper? { get async throws { try await user(Keeper.self) } }
}

func addNests(_ routes: Routes, _ auth: Auth, _ nests: [Nest]) {
    let keepers = Users(auth) { Keeper(id: $0.id, isAdmin: $0.roles.contains("admin")) }
    routes.group(middleware: [keepers]) { routes in
        routes.get(Path("/keeper")) { request in "\(try await request.keeper?.id ?? 0)" }
        routes.delete(Path("/nests/{id}", Int.self)) { request, id in
            guard nests.indices.contains(id) else { throw HTTPError(.notFound) }
            try await request.allow(Keeper.self) { $0.mayChange(nests[id]) }
            return Response(.noContent)
        }
    }
}

// What the page does not show.

struct Nest: Sendable {
    let keeper: Int
}
