import HTTPTypes
import Testing

@testable import Roost

@Suite("Links of a page", .timeLimit(.minutes(5)))
struct PageTests {
    @Test(arguments: [
        ("/rooms?name=a&after=9&limit=5", "/rooms?name=a&limit=5", nil), ("/rooms?after=9", "/rooms", nil),
        ("/rooms?before=9&sort=-name", nil, "/rooms?sort=-name"), ("/rooms", nil, nil), ("/rooms?name=a", nil, nil),
    ])
    func `an empty page beside others leads to the first one`(url: String, previous: String?, next: String?) throws {
        let page = Page(read: [Int](), for: try PageQuery(Request(.get, url))) { "\($0)" }
        #expect(page.links == PageLinks(previous: previous, next: next))
    }

    @Test func `any other leads to its neighbours`() throws {
        let query = try PageQuery(Request(.get, "/rooms?after=9&limit=2"))
        let page = Page(read: [10, 11, 12], for: query) { "\($0)" }
        #expect(page.rows == [10, 11])
        #expect(page.links == PageLinks(previous: "/rooms?limit=2&before=10", next: "/rooms?limit=2&after=11"))
    }

    @Test(arguments: ["//evil.example/x", "///evil.example/x"])
    func `no link of a path that begins with slashes leads to another site`(path: String) throws {
        let page = Page(read: [10, 11, 12], for: try PageQuery(Request(.get, path + "?limit=2"))) { "\($0)" }
        #expect(page.links == PageLinks(previous: nil, next: "/.\(path)?limit=2&after=11"))
    }

    @Test(arguments: [(Int.min, 1), (-1, 1), (0, 1), (1, 1), (Int.max, Int.max - 1)])
    func `a page has a row at least, and one more can be read`(written: Int, limit: Int) throws {
        #expect(PageQuery(limit: written).limit == limit)
        #expect(try PageQuery(Request(.get, "/rooms"), limit: written).limit == limit)
        var query = PageQuery()
        query.limit = written
        #expect(query.limit == limit)
    }

    @Test func `one more can be read, too, than the largest number that a client can name`() throws {
        let query = try PageQuery(Request(.get, "/rooms?limit=\(Int.max)"), maximum: .max)
        #expect(query.limit == Int.max - 1)
    }

    @Test(arguments: ["name=%FF", "after=%C3", "%FF=1"])
    func `a query that is not UTF-8 is refused`(query: String) throws {
        let request = try Request(.get, "/rooms?" + query)
        let error = #expect(throws: HTTPError.self) { try PageQuery(request) }
        #expect(error?.status == .badRequest)
    }
}
