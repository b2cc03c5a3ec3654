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

    @Test(arguments: ["name=%FF", "after=%C3", "%FF=1"])
    func `a query that is not UTF-8 is refused`(query: String) throws {
        let request = try Request(.get, "/rooms?" + query)
        let error = #expect(throws: HTTPError.self) { try PageQuery(request) }
        #expect(error?.status == .badRequest)
    }
}
