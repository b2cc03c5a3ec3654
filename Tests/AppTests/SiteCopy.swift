import struct FoundationEssentials.Data
import class FoundationEssentials.FileManager
import struct FoundationEssentials.URL
import struct FoundationEssentials.UUID

/// A copy of the site's templates, manual and files, to be edited and removed.
struct SiteCopy {
    /// The value for `ROOT`.
    let root: String

    init() throws {
        let files = FileManager.default
        root = files.temporaryDirectory.path + "/roost-site-\(UUID().uuidString)"
        try files.createDirectory(atPath: root, withIntermediateDirectories: true)
        for folder in ["Templates", "docs", "public"] {
            try files.copyItem(atPath: Site.root + "/" + folder, toPath: root + "/" + folder)
        }
    }

    /// Writes a template as editors do, into another file that replaces it: a text of the same length, written within
    /// the resolution of the clock, would look unchanged.
    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: root + "/Templates/" + name), options: .atomic)
    }

    /// Removes a file or folder of the copy, or all of it.
    func remove(_ path: String = "") { try? FileManager.default.removeItem(atPath: root + path) }
}
