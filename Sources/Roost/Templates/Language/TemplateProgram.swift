/// A set of templates, compiled and linked: flat arrays that never change.
///
/// All templates share one instruction array, one run of literal bytes and one table of names, so calling a partial is
/// a jump. Each instruction remembers its place in the source, for errors only.
final class TemplateProgram: Sendable {
    let instructions: FrozenArray<TemplateInstruction>
    /// Whether any template has the tag `{{liveScript}}`.
    let hasLiveScript: Bool
    /// The source offset of each instruction.
    let positions: [UInt32]
    /// The literal text of all templates, and ``ByteBuffer/padding`` bytes that can be read after it.
    let text: [UInt8]
    /// The names, in the order of their ids, from 1 on.
    let names: [String]
    let paths: [TemplatePath]
    let parts: [UInt32]
    let sections: [TemplateSectionSource]
    let calls: [TemplateCall]
    let overrides: [TemplateOverride]
    /// The texts that are shown in the language of a rendering.
    let translations: [TemplateTranslation]
    /// The values that are written by the rules of a rendering's language.
    let formats: [TemplateFormat]
    /// Whether a rendering may depend on its language. `value` is the content of a form's field, which can be a number.
    let hasLanguage: Bool
    let blocks: [TemplateBlock]
    let sources: [TemplateSource]
    /// The first instruction of each template, ascending.
    let entries: [UInt32]
    let templates: [ExactText: Int]
    /// The files that templates may name, for the text that lambdas render.
    let assets: (any AssetFolder)?

    init(_ builder: TemplateBuilder, assets: (any AssetFolder)?) {
        self.assets = assets
        instructions = FrozenArray(builder.instructions)
        hasLiveScript = builder.instructions.contains { $0.action == .liveScript }
        positions = builder.positions
        text = builder.text + Array(repeating: 0, count: ByteBuffer.padding)
        names = builder.names.all
        paths = builder.paths
        parts = builder.parts
        sections = builder.sections
        calls = builder.calls
        overrides = builder.overrides
        translations = builder.translations
        formats = builder.formats
        hasLanguage =
            !translations.isEmpty || !formats.isEmpty || names.contains { $0.utf8.elementsEqual("value".utf8) }
        blocks = builder.blocks
        sources = builder.sources
        entries = builder.entries
        templates = builder.templates
    }

    /// Returns the place in the source that an instruction was compiled from.
    func location(of instruction: Int) -> TemplateLocation {
        sources[template(of: instruction)].location(of: Int(positions[instruction]))
    }

    /// The template that an instruction is part of.
    func template(of instruction: Int) -> Int {
        (entries.firstIndex { $0 > instruction } ?? entries.count) - 1
    }

    /// A path as it is written in a template.
    func written(_ path: UInt32) -> String {
        let path = paths[Int(path)]
        guard path.head != 0 else { return "." }
        let rest = parts[Int(path.rest.lowerBound)..<Int(path.rest.upperBound)]
        return ([path.head] + rest).map { names[Int($0) - 1] }.joined(separator: ".")
    }
}
