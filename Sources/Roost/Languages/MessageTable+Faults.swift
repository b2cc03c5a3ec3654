import HTTPTypes

extension MessageTable {
    /// Returns, for tests, a sentence for each fault of the table, compared with the texts that it should have: a text
    /// that is not translated, one that is used neither there nor by Roost, and one whose translation would be shown
    /// wrong, such as for a name in braces that the English text lacks.
    ///
    ///     #expect(german.faults(for: templates.texts + ["Must not be empty."]) == [])
    ///
    /// Roost's own sentences are reported as missing only if they are listed; ``sentences`` lists all. An English table
    /// lacks nothing.
    public func faults(for english: [String]) -> [String] {
        untranslated(of: english).map { "\(language): \"\($0)\" is not translated." }
            + unused(beside: english + Self.ownTexts).map { "\(language): \"\($0)\" is used nowhere." }
            + mistakes(in: english)
    }

    /// The texts that the table should have, and does not.
    package func untranslated(of english: [String]) -> [String] {
        isEnglish ? [] : english.filter { texts[$0] == nil }
    }

    /// The texts of the table that are not among those that it may have.
    package func unused(beside english: [String]) -> [String] {
        let known = Set(english.map(ExactText.init))
        return texts.keys.sorted().filter { !known.contains(ExactText($0)) }
    }

    /// A sentence for each translation that would be shown wrong.
    /// - Parameter english: The texts that the table may have; translations of others are not looked at.
    package func mistakes(in english: [String]) -> [String] {
        let known = Set(english.map(ExactText.init))
        return texts.keys.sorted().filter { known.contains(ExactText($0)) }.flatMap { key -> [String] in
            let names = Set(Sentence.names(in: key).map(ExactText.init))
            let text = texts[key] ?? ""
            let arguments = Sentence.arguments(in: text)
            return arguments.filter { !names.contains(ExactText($0.name)) }
                .map { "\(language): \"\(key)\" has no {\($0.name)}, and its translation has." }
                + arguments.filter(\.isMistaken)
                .map { "\(language): {\($0.name), …} in the translation of \"\(key)\" has no format that there is." }
                + arguments.filter(\.lacksOther)
                .map { "\(language): the translation of \"\(key)\" has no words for other numbers of {\($0.name)}." }
                + mistakesInWriting(text, arguments, of: key)
        }
    }

    /// A sentence for each key of a choice that no number has, for each category of the language that a choice lacks
    /// beside others, and for a brace without its other one. Where the English text has such a brace, too, it is meant.
    private func mistakesInWriting(_ text: String, _ arguments: [Sentence.Argument], of key: String) -> [String] {
        let categories = arguments.flatMap { argument in
            argument.unknownCategories.map {
                "\(language): {\(argument.name)} in the translation of \"\(key)\" has words for \"\($0)\", which is "
                    + "no category of numbers."
            }
                + argument.missingCategories(plural).map {
                    "\(language): {\(argument.name)} in the translation of \"\(key)\" has no words for \"\($0)\"."
                }
        }
        guard Sentence.looseBrace(in: key) == nil, let brace = Sentence.looseBrace(in: text) else { return categories }
        return categories + ["\(language): the translation of \"\(key)\" has \(brace)."]
    }

    /// Whether the language is English, whose texts stand in the program.
    package var isEnglish: Bool { language.lowercased() == "en" || language.lowercased().hasPrefix("en-") }

    /// The texts that Roost itself uses: ``sentences``, and the names of the statuses of errors.
    package static let ownTexts = sentences + statuses.map(\.reasonPhrase)

    fileprivate static let statuses: [HTTPResponse.Status] = [
        .badRequest, .unauthorized, .forbidden, .notFound, .methodNotAllowed, .notAcceptable,
        .proxyAuthenticationRequired, .requestTimeout, .conflict, .gone, .lengthRequired, .preconditionFailed,
        .contentTooLarge, .uriTooLong, .unsupportedMediaType, .rangeNotSatisfiable, .expectationFailed,
        .misdirectedRequest, .unprocessableContent, .tooEarly, .upgradeRequired, .preconditionRequired,
        .tooManyRequests, .requestHeaderFieldsTooLarge, .unavailableForLegalReasons, .internalServerError,
        .notImplemented, .badGateway, .serviceUnavailable, .gatewayTimeout, .httpVersionNotSupported,
        .init(code: 507, reasonPhrase: "Insufficient Storage"), .networkAuthenticationRequired,
    ]
}

extension HTTPResponse.Status {
    /// The name of the status. One that was written as a number, such as 404, has none of its own; it gets the usual
    /// one, if there is one.
    var title: String {
        guard reasonPhrase.isEmpty else { return reasonPhrase }
        let good: [Self] = [.ok, .created, .accepted, .nonAuthoritativeInformation, .noContent, .resetContent]
        return (MessageTable.statuses + good).first { $0.code == code }?.reasonPhrase ?? ""
    }
}
