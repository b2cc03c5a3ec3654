import HTTPTypes

/// The page that a browser gets in development when a template is broken, or does not fit its page.
///
/// It needs nothing else, not even a style sheet, because the site's own pages need the templates.
struct TemplateErrorPage: Encodable {
    let status: String
    let request: String
    let heading: String
    let requestID: String?
    /// The number of the request in the window `/_roost`.
    var timeline = Timelines.current?.number
    let faults: [Fault]

    /// One error, its place, and what led there.
    struct Fault: Encodable {
        let message: String
        let place: String?
        let lines: [Line]
        let includedFrom: [String]
    }

    /// A line of a file, and the wrong tag in it, if it is on this line.
    struct Line: Encodable {
        let number: Int
        let text: String
        let fault: String?
        let rest: String
        /// Blanks and a caret, to be shown below the tag.
        let caret: String?
    }

    /// Whether an error is about a template.
    static func isAbout(_ error: any Error) -> Bool { error is TemplateErrors || error is TemplateError }

    /// The page for an error; nil if the error is not about a template.
    static func response(
        _ status: HTTPResponse.Status, _ error: any Error, _ page: ErrorPage, _ request: Request
    ) -> Response? {
        guard let errors = (error as? TemplateErrors)?.errors ?? (error as? TemplateError).map({ [$0] }) else {
            return nil
        }
        let content = TemplateErrorPage(
            status: "\(status.code) \(status.title)",
            request: "\(request.method) \(request.target)",
            heading: errors.count == 1 ? "A template has an error" : "\(errors.count) errors in templates",
            requestID: page.requestID,
            faults: errors.map(Fault.init)
        )
        guard let html = try? templates?.render("page", content) else { return nil }
        return DevelopmentPage.response(status, html)
    }

    private static let templates = try? DevelopmentPage.templates(["page": page, "line": line])
}

extension TemplateErrorPage.Fault {
    fileprivate init(_ error: TemplateError) {
        message = error.location == nil ? error.message : Self.sentence(error.message)
        place = error.location?.place
        lines = error.location.map(Self.lines) ?? []
        includedFrom = error.includedFrom.map(\.place)
    }

    /// A message as the beginning of a sentence. It begins with a word of ours, or with a name in quotes or braces.
    private static func sentence(_ message: String) -> String {
        guard let first = message.utf8.first, first.isLowercaseLetter else {
            return message
        }
        return message.prefix(1).uppercased() + message.dropFirst()
    }

    private static func lines(_ location: TemplateLocation) -> [TemplateErrorPage.Line] {
        let texts = location.linesBefore + [location.sourceLine] + location.linesAfter
        let first = location.line - location.linesBefore.count
        return texts.enumerated().map { index, text in
            let number = first + index
            if number == location.line { return faulty(location) }
            return .init(number: number, text: location.cut(text), fault: nil, rest: "", caret: nil)
        }
    }

    /// The faulty line in three parts; the middle part ends where a tag usually does.
    private static func faulty(_ location: TemplateLocation) -> TemplateErrorPage.Line {
        let (line, caret) = (location.excerpt, location.caretLine)
        let start = line.unicodeScalars.index(line.startIndex, offsetBy: caret.unicodeScalars.count - 1)
        let end = line[start...].firstRange(of: "}}")?.upperBound ?? line.endIndex
        return .init(
            number: location.line, text: String(line[..<start]), fault: String(line[start..<end]),
            rest: String(line[end...]), caret: caret)
    }
}

extension TemplateErrorPage {
    private static let line = """
        <span{{#caret}} class="faulty"{{/caret}}><b>{{number}}</b>{{text}}\
        {{#fault}}<mark>{{.}}</mark>{{/fault}}{{rest}}</span>\
        {{#caret}}<span class="faulty caret" aria-hidden="true"><b></b><i>{{.}}</i></span>{{/caret}}
        """

    private static let page = """
        {{<layout}}
        {{$title}}{{heading}}{{/title}}
        {{$content}}
        <p class="soft">{{status}} for <code>{{request}}</code></p>
        <h1>{{heading}}</h1>
        {{#faults}}
        <section>
        <p class="what">{{message}}</p>
        {{#place}}
        <p><code>{{.}}</code></p>
        <pre>{{#lines}}{{>line}}{{/lines}}</pre>
        {{/place}}
        {{#includedFrom}}<p class="soft from">included from <code>{{.}}</code></p>{{/includedFrom}}
        </section>
        {{/faults}}
        <p>Mend the template, save it, and reload this page: nothing has to be started again.</p>
        {{>footer}}
        {{/content}}
        {{/layout}}
        """
}
