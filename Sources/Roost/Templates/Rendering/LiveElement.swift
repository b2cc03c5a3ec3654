/// The element that loads the script of live pages: `{{liveScript}}` in a template.
///
/// On a page that is live itself, it says up to which events the page has been made, so that none is missed between the
/// page and its event stream.
struct LiveElement {
    let path: String
    let position: LivePosition?

    /// Writes the element in HTML.
    func write(to output: ByteBuffer) {
        output.append("<script src=\"")
        output.append(path)
        if let position {
            output.append("\" data-after=\"")
            position.write(to: output)
        }
        output.append("\" defer></script>")
    }
}

/// The ids of the last events that a page is known to contain, one for each of its sources.
final class LivePosition: Sendable {
    // Nearly every page has one source, and an array would be one more object for each request.
    private let first: Int
    private let others: [Int]

    init(_ first: Int, _ others: [Int] = []) { (self.first, self.others) = (first, others) }

    var ids: [Int] { [first] + others }

    /// Writes the ids with dots between them.
    fileprivate func write(to output: ByteBuffer) {
        output.append(decimal: first)
        for id in others {
            output.append(UInt8(ascii: "."))
            output.append(decimal: id)
        }
    }
}
