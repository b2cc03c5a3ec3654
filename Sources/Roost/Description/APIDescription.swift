/// The title of an application's API, and the addresses under which it describes itself (OpenAPI 3.1).
///
///     try Application(api: APIDescription(title: "Nests", version: "1")) { routes in
///         routes.group(Path("/api"), described: true) { api in
///             api.post(Path("/nests"), NestInput.self, status: .created) { _, input in await nests.add(input) }
///         }
///     }
///
/// `GET /api/openapi.json` is the description for programs, and `GET /api/docs` a page for people, on which requests
/// can be tried. Only the routes of described groups are in it, and other routes that are described
/// (``DeclaredRoute``). A type that cannot be described stops the start with a sentence.
///
/// In development, each response is compared with the description. One that differs is logged, and has a field
/// `Description-Mismatch`, over which a `TestClient` stumbles.
public struct APIDescription: Sendable {
    let title, version: String
    let about: String?
    let document: String
    let page: String?

    /// Creates a description.
    /// - Parameters:
    ///   - title: The name of the API.
    ///   - version: The version of the API, not of OpenAPI.
    ///   - about: The purpose of the API, in Markdown; nil for none.
    ///   - document: The path of the description for programs.
    ///   - page: The path of the page for people; nil for none. Its style sheet and its script are below it.
    public init(
        title: String, version: String, about: String? = nil, document: String = "/api/openapi.json",
        page: String? = "/api/docs"
    ) {
        self.title = title
        self.version = version
        self.about = about
        self.document = document
        self.page = page
    }

    /// The path of the page without a slash at its end: the page's files are below it.
    var folder: String {
        let page = page ?? ""
        return page.utf8.last == UInt8(ascii: "/") ? String(page.dropLast()) : page
    }
}
