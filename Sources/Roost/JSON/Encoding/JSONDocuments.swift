/// The document that each thread keeps for its next text.
enum JSONDocuments {
    private static let kept = ThreadKept<JSONDocument>()

    /// A document for one text. Nobody else gets it before ``giveBack(_:)``.
    @inline(__always)
    static func take() -> JSONDocument { kept.take() ?? JSONDocument() }

    /// Keeps a document for this thread's next text, unless it has one.
    @inline(__always)
    static func giveBack(_ document: JSONDocument) { kept.giveBack(document) }
}
