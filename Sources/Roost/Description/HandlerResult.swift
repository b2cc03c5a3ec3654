/// A handler's result that is a value as JSON.
protocol JSONResult {
    static var value: any Encodable.Type { get }
}

extension JSON: JSONResult {
    static var value: any Encodable.Type { Value.self }
}

/// A handler's result that is a page of a list.
protocol PageResult {}

extension PageResult {
    /// The parameters that ``PageQuery`` reads, but for `sort`: only the list knows its orders, and how many rows it
    /// gives at most. The type of the route's query may say both.
    static var parameters: [JSONValue.Member] {
        let limit: JSONValue = ["type": "integer", "minimum": 1, "description": "At most as many as the list allows."]
        return [
            JSONValue.Member("limit", limit),
            JSONValue.Member("after", ["type": "string", "description": "A cursor from `Link`."]),
            JSONValue.Member("before", ["type": "string", "description": "A cursor from `Link`."]),
        ]
    }
}

extension Page: PageResult, JSONResult where Row: Encodable {
    static var value: any Encodable.Type { [Row].self }
}
