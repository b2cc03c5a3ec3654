extension Browser {
    /// Changes the size of the window; with DevTools, because an ordinary window is never narrower than 500 pixels.
    func setViewport(_ viewport: Viewport) async throws {
        try await session.devTools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(viewport.width)),
                "height": .number(Double(viewport.height)),
                "deviceScaleFactor": .number(Double(viewport.scale)),
                "mobile": .bool(viewport.isMobile),
            ]
        )
    }

    /// Changes `prefers-color-scheme`, at once and for all later pages.
    func setColorScheme(_ scheme: ColorScheme) async throws {
        let feature: JSONValue = ["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]
        try await session.devTools("Emulation.setEmulatedMedia", ["features": [feature]])
    }

    /// Turns the scripts of pages on or off, for pages loaded from now on; a test's own ``execute(_:_:)`` still works.
    func setJavaScript(enabled: Bool) async throws {
        try await session.devTools("Emulation.setScriptExecutionDisabled", ["value": .bool(!enabled)])
    }

    /// The cookies that the page's address would be sent.
    func cookies() async throws -> [Cookie] {
        try await session.get("cookie").elements.map { cookie in
            Cookie(
                name: cookie["name"].string ?? "",
                value: cookie["value"].string ?? "",
                path: cookie["path"].string ?? "",
                isHTTPOnly: cookie["httpOnly"] == true,
                isSecure: cookie["secure"] == true,
                sameSite: cookie["sameSite"].string
            )
        }
    }

    /// Sets a cookie for the host of the page that is open.
    func setCookie(_ cookie: Cookie) async throws {
        var members: [String: JSONValue] = [
            "name": .string(cookie.name),
            "value": .string(cookie.value),
            "path": .string(cookie.path),
            "httpOnly": .bool(cookie.isHTTPOnly),
            "secure": .bool(cookie.isSecure),
        ]
        if let sameSite = cookie.sameSite { members["sameSite"] = .string(sameSite) }
        try await session.post("cookie", ["cookie": .object(members)])
    }

    /// Forgets the cookies that the page's address would be sent.
    func deleteCookies() async throws {
        try await session.delete("cookie")
    }
}
