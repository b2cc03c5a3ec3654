import HTTPTypes
import RoostTesting
import Testing

@testable import Roost

@Suite("RFC 9110 §13: conditional requests", .timeLimit(.minutes(5)))
struct PreconditionTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let validators = Validators(tag: EntityTag("a"), modified: 784_111_777)
    private static let now = 1_780_000_000

    @Test(
        arguments: [
            ([:], .holds),
            // §13.1.1 If-Match
            ([.ifMatch: #""a""#], .holds), ([.ifMatch: #""b", "a""#], .holds), ([.ifMatch: "*"], .holds),
            ([.ifMatch: #""b""#], .failed), ([.ifMatch: #"W/"a""#], .failed), ([.ifMatch: "a"], .failed),
            // §13.1.2 If-None-Match
            ([.ifNoneMatch: #""a""#], .notModified), ([.ifNoneMatch: #"W/"a""#], .notModified),
            ([.ifNoneMatch: "*"], .notModified), ([.ifNoneMatch: #""b""#], .holds), ([.ifNoneMatch: "a"], .holds),
            // §13.1.3 If-Modified-Since
            ([.ifModifiedSince: date], .notModified), ([.ifModifiedSince: later], .notModified),
            ([.ifModifiedSince: earlier], .holds), ([.ifModifiedSince: "yesterday"], .holds),
            // §13.1.4 If-Unmodified-Since
            ([.ifUnmodifiedSince: date], .holds), ([.ifUnmodifiedSince: later], .holds),
            ([.ifUnmodifiedSince: earlier], .failed), ([.ifUnmodifiedSince: "yesterday"], .holds),
            // §13.2.2 the order
            ([.ifMatch: #""a""#, .ifUnmodifiedSince: earlier], .holds),
            ([.ifNoneMatch: #""b""#, .ifModifiedSince: later], .holds),
            ([.ifMatch: #""b""#, .ifNoneMatch: #""a""#], .failed),
            ([.ifMatch: #""a""#, .ifNoneMatch: #""a""#], .notModified),
            ([.ifUnmodifiedSince: date, .ifModifiedSince: date], .notModified),
        ] as [(Headers, Request.Precondition)])
    func `the fields are evaluated in their order`(headers: Headers, expected: Request.Precondition) throws {
        let request = try Request(.get, "/", headers: headers)
        #expect(request.precondition(Self.validators, now: Self.now) == expected)
    }

    @Test func `a date that comes twice is ignored`() throws {
        var headers: Headers = [.ifModifiedSince: Self.date]
        headers.append(.ifModifiedSince, Self.date)
        #expect(try Request(.get, "/", headers: headers).precondition(Self.validators, now: Self.now) == .holds)
    }

    @Test(arguments: [
        (nil, true), (#""a""#, true), (#""b""#, false), (#"W/"a""#, false), (date, true), (earlier, false),
        (later, false), ("a", false), ("", false),
    ])
    func `a range is sent if If-Range names the current state`(value: String?, isRange: Bool) throws {
        var headers: Headers = [.range: "bytes=0-0"]
        headers[.ifRange] = value
        let range = try Request(.get, "/", headers: headers).range(of: Self.validators, size: 10, now: Self.now)
        #expect(range == (isRange ? .bytes(0..<1) : nil))
    }

    @Test func `a date in the second of the change is too early for a range`() throws {
        let request = try Request(.get, "/", headers: [.range: "bytes=0-0", .ifRange: Self.date])
        #expect(request.range(of: Self.validators, size: 10, now: Self.validators.modified) == nil)
        #expect(request.range(of: Self.validators, size: 10, now: Self.validators.modified + 1) == .bytes(0..<1))
    }

    @Test(arguments: [HTTPRequest.Method.head, .post]) func `only GET has ranges`(method: HTTPRequest.Method) throws {
        let request = try Request(method, "/", headers: [.range: "bytes=0-0"])
        #expect(request.range(of: Self.validators, size: 10, now: Self.now) == nil)
    }
}
