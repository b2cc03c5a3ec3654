import FoundationEssentials
import Roost
import RoostSQL
import RoostTesting
import Testing

// The programs of docs/protection.md, docs/proxies.md and docs/testing.md, letter for letter.

func makeShop() throws -> Application {
    let hosts = try AllowedHosts(environment: ProcessEnvironment.variables)
    let middleware = [Compression()] + Application.standardMiddleware() + [hosts]
    return try Application(middleware: middleware) { routes in
        routes.group(Path("/api"), middleware: [RateLimit(100, per: .minutes(1), burst: 20)]) { routes in
            routes.get(Path("/offers")) { _ in JSON(["eggs", "feathers"]) }
        }
        let perKey = RateLimit(5, per: .hours(1)) { $0.headers["X-API-Key"] }
        routes.group(Path("/reports"), middleware: [perKey]) { routes in
            routes.get(Path("/sales")) { _ in "none" }
        }
    }
}

func makeManual(in folder: String) throws -> Application {
    let files = try StaticFiles(folder + "/public")
    let templates = try Templates(directory: folder + "/Templates", assets: files)
    return try Application(templates: templates) { routes in
        routes.get(Path("/")) { _ in View("start", ["title": "Manual"]) }
        routes.get(Path("/pages/{name}", RemainingPath.self)) { _, name in
            try Response.file(name.pathSegment, in: folder + "/pages")
        }
        routes.fallback(files)
    }
}

func address(_ request: Request) -> String {
    "\(request.scheme)://\(request.authority)/feed, for \(request.clientAddress?.description ?? "a local client")"
}

struct Note: Codable, Equatable {
    let text: String
}

func makeNotes() throws -> Application {
    try Application { routes in
        routes.post(Path("/notes")) { request in
            Response.redirect(to: "/notes/1?text=\(try request.decode(Note.self).text)")
        }
        routes.get(Path("/notes/{id}", Int.self)) { request, _ -> Response in
            let note = Note(text: request.query["text"] ?? "Mend the roof")
            return try await request.negotiate([.json: { .json(note) }, .html: { .html(note.text) }])
        }
        routes.post(Path("/files")) { request in request.headers[.contentType] ?? "" }
    }
}

func makeThemes() throws -> Application {
    let theme = SignedCookie("theme", key: .random(), maxAge: .hours(24), isHTTPS: false)
    return try Application { routes in
        routes.get(Path("/theme")) { request in theme.value(in: request) ?? "dawn" }
        routes.post(Path("/theme")) { request in
            var response = Response.text("kept")
            try theme.set(try request.form()["theme"] ?? "dawn", on: &response)
            return response
        }
    }
}
