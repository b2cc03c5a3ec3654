import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

/// The pages of a package that `scripts/new` has made. Screenshots go to the folder that `SCREENSHOTS` names.
extension SiteBrowserTests {
    private struct PageValues: Encodable {
        let signedInAs = "wilhelmina.featherstonehaugh-cholmondeley@correspondence.example.com"
        let language = "en"
        let isRightToLeft = false
    }

    private struct NotesPage: Encodable {
        let notes = [Note()]
        let text = ""
        let error: String? = nil
    }

    private struct Note: Encodable {
        let id = 1
        let text = "https://example.com/" + String(repeating: "owl", count: 60)
    }

    private struct LoginPage: Encodable {
        let next: String? = nil
        let fields = FieldSet(
            .text("name", "Name"), .select("kind", "Kind", ["barn": String(repeating: "Barn owl ", count: 20)]),
            .textArea("note", "Note").hint("What you have heard counts, too."), .checkbox("rings", "It wears a ring")
        )
        .typed(
            InvalidForm(
                typed: [:],
                error: HTTPError(
                    .unprocessableContent, "Somebody else has changed this.",
                    at: ["/name": "Must not be empty.", "/kind": "Choose one."])))
    }

    /// Serves the pages of a new package, and opens one on a small phone.
    private func openNew(_ path: String, _ look: (Browser) async throws -> Void) async throws {
        let new = "\"$1\" --accounts --languages de,es,fr,it,nl \"$TMPDIR/my-club\" >&2"
        let script = new + " && echo \"$TMPDIR/my-club\" && exec sleep 100000"
        let maker = try GuardedProcess(["sh", "-c", script, "sh", Site.root + "/scripts/new"])
        let folder = try #require(try await maker.output(upTo: "my-club").split(separator: "\n").first)
        let files = try StaticFiles("\(folder)/public")
        let templates = try Templates(directory: "\(folder)/Templates", assets: files)
        let server = try await TestHTTPServer(
            Application(templates: templates, pageValues: { _ in PageValues() }, middleware: []) { routes in
                routes.get(Path("/notes")) { _ in View("notes/index", NotesPage()) }
                routes.get(Path("/login")) { _ in View("login", LoginPage()) }
                routes.fallback(files)
            })
        try await Browser.run(.smallPhone, javaScript: false) { browser in
            try await browser.open(server.url(path))
            try await look(browser)
        }
        try await server.stop()
        try await maker.stop()
    }

    @Test func `a new package's page fits a small phone, with words that are longer than the screen`() async throws {
        try await openNew("/notes") { browser in
            #expect(try await browser.count("header form, footer a, #note-1") == 8)
            #expect(try await browser.execute(Browser.overflow) == 0)
            try await browser.keepPicture("new-package")
        }
    }

    @Test func `a new package's form has wide fields with its button below, and its mistakes stand out`() async throws {
        try await openNew("/login") { browser in
            #expect(try await browser.execute(Browser.overflow) == 0)
            let look = """
                const form = document.querySelector("main form"), button = form.querySelector("button");
                const fields = ["name", "kind", "note"].map((id) => document.getElementById(id));
                const place = (one) => one.getBoundingClientRect(), style = (one) => getComputedStyle(one);
                return [
                    fields.every((one) => Math.abs(place(one).width - place(form).width) < 1),
                    fields.every((one) => style(one).fontSize === style(form).fontSize),
                    fields.every((one) => place(one).bottom <= place(button).top),
                    place(button).width < place(form).width / 2,
                    [...form.querySelectorAll("[role=alert]")].every((one) => style(one).color !== style(form).color),
                    style(fields[0]).borderColor !== style(fields[2]).borderColor,
                ].join();
                """
            #expect(try await browser.execute(look) == "true,true,true,true,true,true")
            try await browser.keepPicture("new-package-form")
        }
    }
}
