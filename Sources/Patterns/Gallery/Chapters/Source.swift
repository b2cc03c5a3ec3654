/// A file of a chapter, with its part there, as pages show it (`Templates/patterns/source.mustache`).
struct Source: Encodable, Sendable {
    let part: Part
    let file: SourceFile

    /// - Parameters:
    ///   - name: Its name without suffix, which is unique in its folder and all below that.
    ///   - folder: A folder of `Sources/Patterns/`.
    init?(_ part: Part, _ name: String, in folder: String) {
        let file = SourceFile.all.first { $0.name == name && $0.path.hasPrefix(folder + "/") }
        guard let file else { return nil }
        self.part = part
        self.file = file
    }
}
