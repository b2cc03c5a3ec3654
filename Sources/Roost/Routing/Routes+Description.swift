extension Routes {
    /// Declares the routes by which an API describes itself: for programs and, if there is a page, for people.
    /// - Returns: The description of the routes that were declared before.
    /// - Throws: ``StartError`` for what cannot be described.
    func serve(_ api: APIDescription, _ coder: JSONCoder, _ middleware: [any Middleware]) throws -> APIDocument {
        let document = try APIDocument(api, operations, coder, middleware)
        serve(try JSONCoder().encode(document.json), as: "application/json", at: api.document)
        guard let page = api.page else { return document }
        let files = DescriptionPage.files
        serve(try DescriptionPage(api, document.json).html(), as: "text/html; charset=utf-8", at: page)
        for (name, type, text) in files { serve(Array(text.utf8), as: type, at: api.folder + "/" + name) }
        return document
    }

    private func serve(_ bytes: [UInt8], as type: String, at path: String) {
        let file = DescriptionFile(bytes, type)
        get(FixedPath(path)) { request in try file.response(to: request) }
    }
}
