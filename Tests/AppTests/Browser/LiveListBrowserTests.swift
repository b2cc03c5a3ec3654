import Glibc
import HTTPTypes
import Processes
import Roost
import RoostTesting
import Testing

/// The list in open windows, while others change it. Screenshots go to the folder that `SCREENSHOTS` names.
extension SiteBrowserTests {
    private static let names = "[...document.querySelectorAll('#list li')].map(item => item.textContent.trim()).join()"

    private func waitForNames(_ browser: Browser, _ names: String) async throws {
        try await browser.waitUntil("\(Self.names) === '\(names)'")
    }

    @Test func `two windows follow what somebody else changes`() async throws {
        let site = try await SiteProcess.start(under: SiteProcess.quiet)
        let member = try await Member(site)
        try await Browser.run { browser in
            try await browser.open(site.url + "/users")
            let (first, second) = try await browser.openWindow()
            try await browser.open(site.url + "/users?name=ne")
            try await browser.keepPicture("live-2-before")
            try await browser.use(first)
            try await browser.keepPicture("live-1-before")
            // A visitor who is reading and typing is not disturbed.
            try await browser.type("Ca", into: "#search")
            try await browser.execute("document.querySelector('a[href=\"/users/2\"]').focus()")
            let focused = "document.activeElement.getAttribute('href')"
            #expect(try await member.add("Ada").status == .created)
            #expect(try await member.add("Nemo").status == .created)
            try await waitForNames(browser, "Nelson,Cathy,Ada,Nemo")
            #expect(try await browser.execute("return \(focused)").string == "/users/2")
            #expect(try await browser.property("value", of: "#search") == "Ca")
            try await browser.waitUntil("document.getElementById('news').textContent.includes('Nemo was added.')")
            #expect(try await browser.attribute("aria-live", of: "#news") == "polite")
            try await member.rename(2, to: "Catherine")
            try await member.remove(1)
            try await waitForNames(browser, "Catherine,Ada,Nemo")
            #expect(try await browser.execute("return \(focused)").string == "/users/2")
            // When what has the focus goes, the focus stays in the list.
            try await member.remove(2)
            try await waitForNames(browser, "Ada,Nemo")
            #expect(try await browser.execute("return document.activeElement.id") == "list")
            try await browser.keepPicture("live-1-after")
            // The other window shows a search.
            try await browser.use(second)
            try await waitForNames(browser, "Nemo")
            try await browser.keepPicture("live-2-after")
            #expect(try await browser.errors() == [])
        }
        #expect(try await site.terminate() == "0")
    }

    @Test func `a window follows over a restart`() async throws {
        let port = try FreePort.next()
        let holder = try GuardedProcess(["sh", "-c", "echo \"$TMPDIR\"; exec sleep 100000"])
        let folder = try await holder.output(upTo: "/").split(separator: "\n").first ?? ""
        let settings = ["PORT": "\(port)", "DATABASE_URL": "sqlite:\(folder)/live.sqlite"]
        var site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        try await Browser.run { browser in
            try await browser.open(site.url + "/users")
            try await waitForNames(browser, "Nelson,Cathy")
            #expect(try await site.terminate() == "0")
            site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
            #expect(try await Member(site).add("After the restart").status == .created)
            try await waitForNames(browser, "Nelson,Cathy,After the restart")
            try await browser.keepPicture("live-restart")
            site.signal(SIGKILL)
            _ = try await site.ending()
            site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
            try await Member(site).remove(1)
            try await waitForNames(browser, "Cathy,After the restart")
        }
        #expect(try await site.terminate() == "0")
        try await holder.stop()
    }

    @Test(.enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed: scripts/test --all installs it"))
    func `windows follow what is changed at another instance`() async throws {
        let settings = ["DATABASE_URL": try await PostgresServer.shared().makeDatabase(), "WORKERS": "1"]
        let site = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        let other = try await SiteProcess.start(settings, under: SiteProcess.quiet)
        try await Browser.run { browser in
            try await browser.open(site.url + "/users")
            try await browser.keepPicture("live-instances-before")
            #expect(try await Member(other).add("From the other instance").status == .created)
            try await waitForNames(browser, "Nelson,Cathy,From the other instance")
            try await browser.keepPicture("live-instances-after")
            // A tab of another test, whose site has ended, may report so late.
            #expect(try await browser.errors().filter { $0.message.contains(site.url) } == [])
        }
        for site in [site, other] { #expect(try await site.terminate() == "0") }
    }
}
