import Roost

// A page of the list as it is written in a URL: `/users?name=ne&limit=10&after=1.nelson`.

extension UserQuery {
    /// The parameters, for the description of the API.
    struct Parameters: Decodable, Validatable {
        var name: String?
        var limit: Int?
        var after: String?
        var before: String?

        mutating func validate(_ check: inout Validation) {
            check("name", &name, .length(...User.maximumNameBytes))
            check("limit", limit, .range(1...200))
        }
    }

    /// Reads a request's query.
    /// - Throws: `HTTPError` with 400 for an invalid value.
    init(_ request: Request) throws {
        page = try PageQuery(request, limit: 50, maximum: 200)
        name = request.query["name"] ?? ""
        guard name.utf8.count <= User.maximumNameBytes else {
            throw HTTPError(.badRequest, "name is longer than any user's name can be.")
        }
    }
}
