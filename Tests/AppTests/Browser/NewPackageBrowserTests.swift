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

    @Test func `a new package's page fits a small phone, with words that are longer than the screen`() async throws {
        let new = "\"$1\" --accounts --languages de,es,fr,it,nl \"$TMPDIR/my-club\" >&2"
        let script = new + " && echo \"$TMPDIR/my-club\" && exec sleep 100000"
        let maker = try GuardedProcess(["sh", "-c", script, "sh", Site.root + "/scripts/new"])
        let folder = try #require(try await maker.output(upTo: "my-club").split(separator: "\n").first)
        let files = try StaticFiles("\(folder)/public")
        let templates = try Templates(directory: "\(folder)/Templates", assets: files)
        let server = try await TestHTTPServer(
            Application(templates: templates, pageValues: { _ in PageValues() }, middleware: []) { routes in
                routes.get(Path("/notes")) { _ in View("notes/index", NotesPage()) }
                routes.fallback(files)
            })
        try await Browser.run(.smallPhone, javaScript: false) { browser in
            try await browser.open(server.url("/notes"))
            #expect(try await browser.count("header form, footer a, #note-1") == 8)
            #expect(try await browser.execute(Browser.overflow) == 0)
            try await browser.keepPicture("new-package")
        }
        try await server.stop()
        try await maker.stop()
    }
}
