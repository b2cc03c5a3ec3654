extension Browser {
    /// Opens another window, and uses it from now on; returns a handle for each of the two, the old one first.
    func openWindow() async throws -> (old: JSONValue, new: JSONValue) {
        let old = try await session.get("window")
        let new = try await session.post("window/new", ["type": "window"])["handle"]
        try await use(new)
        return (old, new)
    }

    /// Uses another window from now on.
    func use(_ window: JSONValue) async throws {
        try await session.post("window", ["handle": window])
    }
}
