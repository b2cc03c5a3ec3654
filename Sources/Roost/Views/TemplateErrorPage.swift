import HTTPTypes

/// What a browser shows in development when a template is broken, or does not fit its page.
///
/// It needs nothing else, not even a style sheet, because the site's own pages need the templates.
struct TemplateErrorPage: Encodable {
    let status: String
    let request: String
    let heading: String
    let requestID: String?
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
            status: "\(status.code) \(status.reasonPhrase)",
            request: "\(request.method) \(request.target)",
            heading: errors.count == 1 ? "A template has an error" : "\(errors.count) errors in templates",
            requestID: page.requestID,
            faults: errors.map(Fault.init)
        )
        guard let html = try? templates?.render("page", content) else { return nil }
        var response = Response(status, "text/html; charset=utf-8", Body(html))
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
        return response
    }

    private static let templates = try? Templates(sources: ["page": page, "line": line])
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
        guard let first = message.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
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
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{heading}}</title>
        <style>
        :root {
          --ground: #f3f7f5; --surface: #fff; --ink: #14292e; --soft: #4b6066; --line: #cfdcd8;
          --wrong: #a8201a; --wrong-ground: #fcebe9;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #0e191d; --surface: #16262b; --ink: #e5efec; --soft: #a5b8b6; --line: #2b4147;
            --wrong: #ffb3a8; --wrong-ground: #3b1a18;
          }
        }
        * { box-sizing: border-box; }
        body {
          max-width: 64rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem;
          background: var(--ground); color: var(--ink);
          font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere;
        }
        h1 { margin: 0 0 1.5rem; font-size: clamp(1.5rem, 1.2rem + 2vw, 2.25rem); line-height: 1.2; }
        p { margin: 0 0 .5rem; }
        code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9375rem; }
        .soft { color: var(--soft); }
        section { margin-bottom: 1.5rem; padding: 1rem; background: var(--surface); border: 1px solid var(--line);
          border-left: 5px solid var(--wrong); border-radius: 6px; }
        .what { font-weight: 600; }
        pre { margin: .75rem 0 0; padding: .5rem 0; overflow-x: auto; background: var(--ground); line-height: 1.5;
          tab-size: 4; }
        pre span { display: block; width: max-content; min-width: 100%; padding-right: 1rem; }
        pre b { display: inline-block; width: 3.5rem; padding-right: 1rem; color: var(--soft); font-weight: 400;
          text-align: right; user-select: none; }
        .faulty { background: var(--wrong-ground); }
        mark, .faulty i { background: none; color: var(--wrong); font-style: normal; font-weight: 700; }
        @media (max-width: 40rem) {
          pre span { position: relative; width: auto; padding: 0 .5rem 0 2.5rem; white-space: pre-wrap; }
          pre b { position: absolute; left: 0; width: 2.25rem; padding-right: .5rem; }
          .caret { display: none; }
        }
        .from { margin: .75rem 0 0; }
        </style>
        </head>
        <body>
        <main>
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
        <p class="soft">
          Only development shows this.{{#requestID}} The log calls the request <code>{{.}}</code>.{{/requestID}}
        </p>
        </main>
        </body>
        </html>

        """
}
