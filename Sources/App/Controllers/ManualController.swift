import Manual
import Roost

/// The manual: the pages of `docs/`, and a search in them.
struct ManualController: Controller {
    static let front = Path("/manual")
    static let page = Path("/manual/{page}", String.self)
    static let file = Path("/manual/files/{path}", RemainingPath.self)

    private let manual: ManualFolder

    /// - Throws: `StartError` if the folder is no manual.
    init(folder: String) throws { manual = try ManualFolder(folder) }

    func routes(_ routes: Routes) {
        routes.get(Self.front, use: index)
        routes.get(Self.page, use: show)
        routes.get(Self.file, use: send)
    }

    /// `GET /manual`, and `GET /manual?q=…` for the results of a search.
    func index(_ request: Request) throws -> some ResponseConvertible {
        let (manual, search) = try manual.read()
        guard let query = request.query["q"], !query.allSatisfy(\.isWhitespace) else {
            guard let front = manual.front else { throw HTTPError(.notFound) }
            return View("manual/page", ManualPageView(front, in: manual))
        }
        return View("manual/search", ManualResultsView(query, search.results(for: query), in: manual))
    }

    /// `GET /manual/requests`
    func show(_ request: Request, name: String) throws -> some ResponseConvertible {
        let manual = try manual.read().manual
        guard let page = manual.page(name) else { throw HTTPError(.notFound) }
        return View("manual/page", ManualPageView(page, in: manual))
    }

    /// `GET /manual/files/deploy/nginx.conf`: a file to copy, as text whatever it is.
    func send(_ request: Request, path: RemainingPath) throws -> some ResponseConvertible {
        try Response.file(path.pathSegment, in: manual.path, contentType: "text/plain; charset=utf-8")
    }
}
