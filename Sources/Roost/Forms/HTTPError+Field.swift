public import HTTPTypes

extension HTTPError {
    /// Creates an error about one field of a form or a body, by the name under which it is sent: `HTTPError(.conflict,
    /// field: "email", …)`.
    ///
    /// It is ``init(_:at:_:)`` with the field's JSON pointer (RFC 6901). A name of more than 1,000 bytes, which only a
    /// client can have made up, is left out.
    public init(_ status: HTTPResponse.Status, field name: String, _ message: String) {
        self.init(status, field: name, Sentence(message))
    }

    /// Creates an error about one field, with a sentence that has numbers or names in it.
    public init(_ status: HTTPResponse.Status, field name: String, _ sentence: Sentence) {
        self.init(status, sentence)
        if name.utf8.count <= 1000 { parts = [Part(JSONPointer.step(to: name), sentence)] }
    }
}
