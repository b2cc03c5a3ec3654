import Synchronization

/// A folder with a manual, which is read when somebody first asks for it: a start need not wait for that.
package final class ManualFolder: Sendable {
    package let path: String
    private let contents = Mutex<(manual: Manual, search: ManualSearch)?>(nil)

    /// - Throws: `StartError` if the folder cannot be read, or has no front page.
    package init(_ path: String) throws {
        _ = try Manual.names(in: path)
        self.path = path
    }

    /// Returns the manual, and the search in it.
    /// - Throws: `StartError` if a file cannot be read; the next call tries again.
    package func read() throws -> (manual: Manual, search: ManualSearch) {
        try contents.withLock { contents in
            if let contents { return contents }
            let manual = try Manual(folder: path)
            let read = (manual, ManualSearch(manual))
            contents = read
            return read
        }
    }
}
