import HTTPTypes
public import Roost

/// The pages `/dev/mails`, on which a developer sees the mails that a program would have sent.
///
///     if let mailer, isDevelopment { routes.add(MailPages(mailer)) }
///
/// They are for development only, and for browsers on the program's own machine: for anyone else, and behind a proxy,
/// nothing is there (404).
public struct MailPages: Controller {
    static let all = Path("/dev/mails")
    static let one = Path("/dev/mails/{number}", Int.self)
    static let html = Path("/dev/mails/{number}/html", Int.self)

    private let mailer: Mailer

    /// The pages for the mails of a mailer.
    public init(_ mailer: Mailer) { self.mailer = mailer }

    /// Declares the pages.
    public func routes(_ routes: Routes) {
        routes.group(middleware: [DeveloperOnly()]) { routes in
            routes.get(Self.all, use: index)
            routes.get(Self.one, use: show)
            routes.get(Self.html, use: content)
        }
    }

    /// Hides the pages from other machines: a mail may have a link by which somebody gets an account.
    private struct DeveloperOnly: Filter {
        func before(_ request: inout Request) throws -> Response? {
            guard request.isFromDeveloper else { throw HTTPError(.notFound) }
            return nil
        }
    }

    func index(_ request: Request) throws -> Response {
        let kept = mailer.outbox.all
        let rows = kept.mails.enumerated().map { index, mail in
            Row(
                url: Self.one.url(kept.count - index), subject: mail.subject,
                to: mail.recipients.joined(separator: ", "))
        }
        return try page("index", Index(mails: rows))
    }

    func show(_ request: Request, number: Int) throws -> Response {
        let mail = try mail(number)
        return try page(
            "show",
            Show(
                subject: mail.subject, from: mail.from.text, to: mail.to.map(\.text).joined(separator: ", "),
                recipients: mail.recipients.joined(separator: ", "), id: mail.id,
                files: mail.attachmentNames.joined(separator: ", "), text: mail.text,
                htmlURL: mail.html == nil ? nil : Self.html.url(number), allURL: Self.all.url()))
    }

    /// The HTML version alone, in which nothing runs and nothing is loaded but pictures.
    func content(_ request: Request, number: Int) throws -> Response {
        guard let html = try mail(number).html else { throw HTTPError(.notFound) }
        return response(
            Array(html.utf8),
            policy: "sandbox; default-src 'none'; img-src data: http: https:; style-src 'unsafe-inline'; "
                + "frame-ancestors 'self'")
    }

    /// A mail by its number: the first one since the start has the number 1, and the latest 100 are kept.
    private func mail(_ number: Int) throws -> OutgoingMail {
        let kept = mailer.outbox.all
        let (index, isTooSmall) = kept.count.subtractingReportingOverflow(number)
        guard !isTooSmall, kept.mails.indices.contains(index) else { throw HTTPError(.notFound) }
        return kept.mails[index]
    }

    // MARK: Templates

    private func page(_ name: String, _ page: some Encodable & Sendable) throws -> Response {
        response(
            try Self.templates.get().render(name, page),
            policy: "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; "
                + "frame-ancestors 'none'")
    }

    private func response(_ html: [UInt8], policy: String) -> Response {
        var response = Response(.ok, headers: [.contentType: "text/html; charset=utf-8"], body: Body(html))
        response.headers[.contentSecurityPolicy] = policy
        response.headers[.cacheControl] = "no-store"
        response.headers[.xFrameOptions] = "SAMEORIGIN"
        return response
    }

    private struct Index: Encodable {
        let mails: [Row]
    }

    private struct Row: Encodable {
        let url, subject, to: String
    }

    private struct Show: Encodable {
        let subject, from, to, recipients, id, files, text: String
        let htmlURL: String?
        let allURL: String
    }

    private static let templates = Result {
        try DevelopmentPage.templates(["index": index, "show": show], style: style)
    }

    private static let style = """
        iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: 6px; background: #fff; }
        main section { border-left: 1px solid var(--line); }
        pre { padding: .5rem; white-space: pre-wrap; }
        a { color: inherit; }
        nav { margin-bottom: 1.25rem; }

        """

    private static let index = """
        {{<layout}}
        {{$title}}Mails{{/title}}
        {{$header}}
        <header><nav aria-label="Pages"><a href="/">The site</a></nav></header>
        {{/header}}
        {{$content}}
        <h1>Mails</h1>
        {{#mails}}
        <section>
        <p class="what"><a href="{{url}}">{{subject}}</a></p>
        <p class="soft">to {{to}}</p>
        </section>
        {{/mails}}
        {{^mails}}
        <p class="soft">No mail has been made since the program started. This page shows the latest 100.</p>
        {{/mails}}
        {{/content}}
        {{/layout}}
        """

    private static let show = """
        {{<layout}}
        {{$title}}{{subject}}{{/title}}
        {{$content}}
        <p><a href="{{allURL}}">All mails</a></p>
        <h1>{{subject}}</h1>
        <section>
        <dl>
        <dt>From</dt><dd>{{from}}</dd>
        <dt>To</dt><dd>{{to}}</dd>
        <dt>Sent to</dt><dd>{{recipients}}</dd>
        <dt>Message-ID</dt><dd>{{id}}</dd>
        {{#files}}<dt>Files</dt><dd>{{.}}</dd>{{/files}}
        </dl>
        </section>
        {{#htmlURL}}
        <h2>HTML</h2>
        <iframe src="{{.}}" sandbox title="The HTML version"></iframe>
        {{/htmlURL}}
        <h2>Text</h2>
        <pre>{{text}}</pre>
        {{/content}}
        {{/layout}}
        """
}
