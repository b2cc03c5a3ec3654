/// Files that pages refer to, such as style sheets and scripts: `StaticFiles`.
public protocol AssetFolder: Sendable {
    /// The path of a file in URLs, such as `/style-9b2c4f01d3e5a678.css` for `style.css`.
    /// - Throws: ``StartError`` for a file that is not there.
    func asset(_ name: String) throws -> String
}
