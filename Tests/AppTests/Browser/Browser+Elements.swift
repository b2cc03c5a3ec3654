/// Elements are named by CSS selectors; if several match, the first is used.
extension Browser {
    /// The text of an element as a person sees it.
    func text(_ selector: String) async throws -> String {
        try await session.get("element/\(try await find(selector))/text").string ?? ""
    }

    /// The texts of all elements that match now, in the order of the page; it may be empty.
    func texts(_ selector: String) async throws -> [String] {
        let script = "return Array.from(document.querySelectorAll(arguments[0]), e => e.innerText)"
        return try await execute(script, .string(selector)).elements.compactMap(\.string)
    }

    /// Returns the number of elements that match now, without waiting.
    func count(_ selector: String) async throws -> Int {
        let script = "return document.querySelectorAll(arguments[0]).length"
        guard case .number(let count) = try await execute(script, .string(selector)) else { return 0 }
        return Int(count)
    }

    /// An attribute as the source of the page has it, or `nil` where it has none.
    func attribute(_ name: String, of selector: String) async throws -> String? {
        let script = "return arguments[0].getAttribute(arguments[1])"
        return try await execute(script, try await reference(selector), .string(name)).string
    }

    /// A property of the element's object, such as the `value` of an input.
    func property(_ name: String, of selector: String) async throws -> JSONValue {
        try await session.get("element/\(try await find(selector))/property/\(name)")
    }

    /// Clicks on the middle of an element, scrolling it into view.
    ///
    /// Clicks an element. If the click leads to another page, use ``follow(_:)``: this may return before the old page
    /// has gone.
    func click(_ selector: String) async throws {
        try await session.post("element/\(try await find(selector))/click")
    }

    /// Clicks on a link or a button that leads to another page, and returns when that has loaded.
    func follow(_ selector: String) async throws {
        try await waitForNewPage { try await click(selector) }
    }

    /// Types at the end of what the field has.
    func type(_ text: String, into selector: String) async throws {
        try await session.post("element/\(try await find(selector))/value", ["text": .string(text)])
    }

    /// Empties a field.
    func clear(_ selector: String) async throws {
        try await session.post("element/\(try await find(selector))/clear")
    }

    /// Presses a key on the element that has the focus; for one that sends a form see ``waitForNewPage(after:)``.
    func press(_ key: Key) async throws {
        let active = try await session.get("element/active")
        try await session.post("element/\(try identifier(in: active))/value", ["text": .string(key.rawValue)])
    }

    /// Returns when an element matches.
    func waitFor(_ selector: String) async throws {
        _ = try await find(selector)
    }

    private func find(_ selector: String) async throws -> String {
        try identifier(in: try await reference(selector))
    }

    private func reference(_ selector: String) async throws -> JSONValue {
        try await session.post("element", ["using": "css selector", "value": .string(selector)])
    }

    private func identifier(in reference: JSONValue) throws -> String {
        // The member's name is the protocol's constant for "this is an element" (WebDriver §12).
        guard let id = reference["element-6066-11e4-a52e-4f735466cecf"].string else {
            throw WebDriverError(code: "no element", message: "\(reference)")
        }
        return id
    }
}
