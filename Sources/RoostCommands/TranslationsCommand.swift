import Roost

/// `translations`
struct TranslationsCommand<Site: SiteProgram>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "translations",
            abstract: "Add the texts that are still to be translated to the files of languages.",
            usage: "\(Site.name) translations [de …] [--folder Languages]",
            discussion: """
                The texts are those of all templates, those that the program lists itself, and Roost's own. Each \
                file gets the texts that it lacks, at its end; translations and translators' remarks stay as they \
                are. A text that is no longer used gets the remark "Used nowhere". If a language that you name has no \
                file yet, it is created.
                """
        )
    }

    @Argument(help: "The languages, such as de or pt-BR; without any, those of the folder.")
    var languages: [String] = []
    @Option(help: "The folder with the files of translations.") var folder = "Languages"

    func validate() throws {
        for language in languages {
            let isTag = language.split(separator: "-", omittingEmptySubsequences: false).allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isLetterOrDigit }
            }
            guard isTag else { throw ValidationError("\(language) is no language: write it as de or pt-BR.") }
            guard !MessageTable(language).isEnglish else {
                throw ValidationError("The texts are English already; \(language).po is for other words only.")
            }
        }
    }

    func run() async throws {
        let texts = Site.visitorTexts(in: try await Site.application()) + MessageTable.ownTexts
        let files = try TranslationUpdate.files(in: folder)
        let chosen = languages.isEmpty ? files.map(\.language).filter { !MessageTable($0).isEnglish } : languages
        guard !chosen.isEmpty else {
            throw ValidationError("\(folder) has no language yet: name one, as in \(Site.name) translations de.")
        }
        for language in chosen {
            let known = files.first { $0.language.lowercased() == language.lowercased() }
            let path = folder + "/" + (known?.name ?? language + ".po")
            let update = try TranslationUpdate(file: path, language: language, texts: texts)
            print(Self.report(update, path))
        }
    }

    /// A sentence for what was done, and a line for each text that was added or is used nowhere.
    static func report(_ update: TranslationUpdate, _ path: String) -> String {
        let added = update.added.map { "  added: \($0)" }
        let unused = update.unused.map { "  used nowhere: \($0)" }
        let counts = "\(added.count) added, \(update.openCount) to translate, \(unused.count) used nowhere"
        return (["\(path): \(counts)"] + added + unused).joined(separator: "\n")
    }
}

extension SiteProgram {
    /// The texts of a program for visitors, each once: those of its templates, and those that it lists itself.
    static func visitorTexts(in application: Application) -> [String] {
        let own = application.texts
        return own + texts.filter { !own.contains($0) }
    }
}
