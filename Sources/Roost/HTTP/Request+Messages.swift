extension Request {
    /// The key under which a request carries its table.
    enum MessageTableKey: RequestKey { typealias Value = MessageTable }

    /// The messages for the client, in the language that ``Languages`` has chosen; English without that middleware.
    /// Middleware of an application may set another, such as that of the visitor's account.
    public var messages: MessageTable {
        get { self[MessageTableKey.self] ?? .english }
        set { self[MessageTableKey.self] = newValue }
    }
}

extension HTTPError {
    /// The same with the texts that a table has, in its language.
    func translated(by table: MessageTable) -> HTTPError {
        var error = self
        error.message = sentence.map { table.text($0) }
        error.parts = parts.map { part in
            var part = part
            part.message = table.text(part.sentence)
            return part
        }
        return error
    }
}
