/// A set of templates, compiled and linked: flat arrays that never change.
///
/// All templates share one instruction array, one run of literal bytes and one table of names, so calling a partial is
/// a jump. Each instruction remembers its place in the source, for errors only.
final class TemplateProgram: Sendable {
    let instructions: FrozenArray<TemplateInstruction>
    /// Whether any template has the tag `{{liveScript}}`.
    let hasLiveScript: Bool
    /// The literal text of all templates, and ``ByteBuffer/padding`` bytes that can be read after it.
    let text: [UInt8]
    /// The names, in the order of their ids, from 1 on.
    let names: [String]
    let tables: TemplateTables
    /// Whether a rendering may depend on its language. `value` is the content of a form's field, which can be a number.
    let hasLanguage: Bool
    /// The files that templates may name, for the text that lambdas render.
    let assets: (any AssetFolder)?

    init(_ builder: TemplateBuilder, assets: (any AssetFolder)?) {
        self.assets = assets
        instructions = FrozenArray(builder.instructions)
        hasLiveScript = builder.instructions.contains { $0.action == .liveScript }
        text = builder.text + Array(repeating: 0, count: ByteBuffer.padding)
        names = builder.names.all
        tables = builder.tables
        hasLanguage =
            !tables.translations.isEmpty || !tables.formats.isEmpty
            || names.contains { $0.utf8.elementsEqual("value".utf8) }
    }

    /// Returns the place in the source that an instruction was compiled from.
    func location(of instruction: Int) -> TemplateLocation {
        tables.sources[template(of: instruction)].location(of: Int(tables.positions[instruction]))
    }

    /// The template that an instruction is part of.
    func template(of instruction: Int) -> Int {
        (tables.entries.firstIndex { $0 > instruction } ?? tables.entries.count) - 1
    }

    /// A path as it is written in a template.
    func written(_ path: UInt32) -> String {
        path == 0 ? "." : tables.paths[Int(path)].map { names[Int($0) - 1] }.joined(separator: ".")
    }
}

/// The tables to which the instructions of a ``TemplateProgram`` refer.
struct TemplateTables: Sendable {
    /// The source offset of each instruction.
    var positions: [UInt32] = []
    /// The ids of the names in each path. The first is looked up in all open contexts, each other one in the value
    /// before it. Path 0 is the implicit iterator `{{.}}`, which has none.
    var paths: [[UInt32]] = [[]]
    var sections: [TemplateSectionSource] = []
    var calls: [TemplateCall] = []
    var overrides: [TemplateOverride] = []
    /// The texts that are shown in the language of a rendering.
    var translations: [TemplateTranslation] = []
    /// The forms in which values are written by the rules of a rendering's language.
    var formats: [ValueFormat] = []
    var blocks: [TemplateBlock] = []
    var sources: [TemplateSource] = []
    /// The first instruction of each template, ascending.
    var entries: [UInt32] = []
    var templates: [ExactText: Int] = [:]
}
