import Mustache
import Roost

/// Our templates and hummingbird's swift-mustache on a page of 100 users, compiled beforehand.
enum TemplateContests {
    static func all() throws -> [Contest] {
        let templates = try Templates(sources: ["users": Samples.template])
        let theirs = try MustacheTemplate(string: Samples.template)
        let expected = Array(theirs.render(Samples.page).utf8)
        guard try templates.render("users", Samples.page) == expected,
            try templates.render("users", Samples.writtenPage) == expected
        else { throw Different("templates") }
        let other = Contest.Side(name: "swift-mustache") { count in
            var bytes = 0
            for _ in 0..<count { bytes = theirs.render(Samples.page).utf8.count }
            return bytes
        }
        return [
            Contest(
                name: "page-encodable", target: 8,
                ours: Contest.Side(name: "Roost, Encodable") { count in
                    var bytes = 0
                    for _ in 0..<count { bytes = try templates.render("users", Samples.page).count }
                    return bytes
                }, theirs: other),
            Contest(
                name: "page-template-data", target: 8,
                ours: Contest.Side(name: "Roost, SelfWriting") { count in
                    var bytes = 0
                    for _ in 0..<count { bytes = try templates.render("users", Samples.writtenPage).count }
                    return bytes
                }, theirs: other),
            try smallPage(),
        ]
    }

    /// A page with a few fields, one of which no template shows, in a site of 200 templates with 1,000 names.
    private static func smallPage() throws -> Contest {
        var sources = ["profile": Samples.profileTemplate]
        for index in 0..<200 {
            sources["page\(index)"] = (0..<5).map { "{{name\(index)x\($0)}}" }.joined()
        }
        let ours = try Templates(sources: sources)
        let theirs = try MustacheTemplate(string: Samples.profileTemplate)
        guard try ours.render("profile", Samples.profile) == Array(theirs.render(Samples.profile).utf8) else {
            throw Different("small page")
        }
        return Contest(
            name: "small-page-of-large-site", target: 8,
            ours: Contest.Side(name: "Roost, Encodable") { count in
                var bytes = 0
                for _ in 0..<count { bytes = try ours.render("profile", Samples.profile).count }
                return bytes
            },
            theirs: Contest.Side(name: "swift-mustache") { count in
                var bytes = 0
                for _ in 0..<count { bytes = theirs.render(Samples.profile).utf8.count }
                return bytes
            }
        )
    }
}
