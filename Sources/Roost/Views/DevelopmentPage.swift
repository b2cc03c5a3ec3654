import HTTPTypes

/// The common part of the pages that only development shows. They need nothing else, not even a style sheet, because
/// the site's own pages may be what is broken.
package enum DevelopmentPage {
    /// The response with such a page, which may style itself, and have the script that loads it again (`LiveReload`).
    static func response(_ status: HTTPResponse.Status, _ html: [UInt8]) -> Response {
        var response = Response(status, "text/html; charset=utf-8", Body(html))
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; "
            + "base-uri 'none'; frame-ancestors 'none'"
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// The templates of such pages, with the one that is around them: `{{<layout}}`, with the blocks `title`, `head`,
    /// `header` and `content`.
    /// - Parameter style: The pages' own part of the style sheet.
    package static func templates(
        _ pages: [String: String], style: String = "", missingNames: MissingNames = .error
    ) throws -> Templates {
        let common = ["layout": layout, "footer": footer, "style": Self.style + style]
        return try Templates(sources: pages.merging(common) { page, _ in page }, missingNames: missingNames)
    }

    private static let layout = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>{{$title}}{{/title}}</title>
        <style>
        {{>style}}
        </style>
        {{$head}}{{/head}}
        </head>
        <body>
        {{$header}}{{/header}}
        <main>
        {{$content}}{{/content}}
        </main>
        </body>
        </html>

        """

    /// The end of a page about an error.
    private static let footer = """
        <p class="soft">
          Only development shows this.{{#requestID}} The log calls the request <code>{{.}}</code>.{{/requestID}}
          {{#timeline}}<a href="/_roost/requests/{{.}}">What happened in this request</a>{{/timeline}}
        </p>

        """

    /// Their style sheet.
    package static let style = """
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
        dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .125rem 1rem; margin: 0; }
        dt { color: var(--soft); }
        dd { margin: 0; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9375rem; }
        h2 { margin: 0 0 .5rem; font-size: 1.125rem; }
        @media (max-width: 40rem) { dl { display: block; } dd { margin-bottom: .5rem; } }

        """
}
