import FoundationEssentials
import Testing

@testable import Roost

@Suite(.timeLimit(.minutes(5))) struct `Values that write their members` {
    struct User: SelfWriting {
        let id: Int
        let userName: String
        var isAdmin = false
        var score: Double?
        var tags: [String] = []
        var friends: [User] = []

        func write(to fields: inout Fields) {
            fields.add("id", id)
            fields.add("userName", userName)
            fields.add("isAdmin", isAdmin)
            fields.add("score", score)
            fields.add("tags", tags)
            fields.add("friends", friends)
        }
    }

    /// The same, as the compiler writes it.
    struct Plain: Encodable {
        let id: Int
        let userName: String
        let isAdmin: Bool
        let score: Double?
        let tags: [String]
        let friends: [Plain]

        init(_ user: User) {
            id = user.id
            userName = user.userName
            isAdmin = user.isAdmin
            score = user.score
            tags = user.tags
            friends = user.friends.map { Plain($0) }
        }
    }

    private let user = User(
        id: 1, userName: "Nelson \"\n", isAdmin: true, score: 0.5, tags: ["a", "<b>"],
        friends: [User(id: -2, userName: "Cathy"), User(id: 3, userName: "é", friends: [User(id: 4, userName: "")])])

    @Test(arguments: [
        JSONCoder(), JSONCoder(keys: .snakeCase), JSONCoder(nils: .null),
        JSONCoder(layout: [.pretty, .sorted]), JSONCoder(isSafeInHTML: true),
    ])
    func `they write the same as an Encodable`(coder: JSONCoder) throws {
        #expect(try coder.string(user) == coder.string(Plain(user)))
        #expect(try coder.string([user, user]) == coder.string([Plain(user), Plain(user)]))
        #expect(try coder.string(["a": user]) == coder.string(["a": Plain(user)]))
        #expect(try coder.string(Optional(user)) == coder.string(Plain(user)))
    }

    @Test func `nil is null if the coder says so`() throws {
        let text = try JSONCoder(nils: .null).string(User(id: 1, userName: ""))
        #expect(text.contains(",\"score\":null,"))
    }

    @Test func `nil is not a member`() throws {
        let text = "{\"id\":1,\"userName\":\"\",\"isAdmin\":false,\"tags\":[],\"friends\":[]}"
        #expect(try JSONCoder().string(User(id: 1, userName: "")) == text)
    }

    @Test func `an error inside says where`() throws {
        let users = [User(id: 1, userName: ""), User(id: 2, userName: "", score: .nan)]
        let error = #expect(throws: EncodingError.self) { try JSONCoder().encode(["users": users]) }
        guard case .invalidValue(_, let context) = error else { return }
        #expect(context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } == ["users", "1", "score"])
    }

    @Test func `depth is limited`() {
        #expect(throws: EncodingError.self) { try JSONCoder(maximumDepth: 2).encode([User(id: 1, userName: "")]) }
        #expect(throws: Never.self) { try JSONCoder(maximumDepth: 3).encode([User(id: 1, userName: "")]) }
    }

    @Test func `a name written twice is an error`() {
        struct Twice: SelfWriting {
            func write(to fields: inout Fields) {
                fields.add("a", 1)
                fields.add("a", 2)
            }
            func encode(to encoder: any Encoder) throws {}
        }
        #expect(throws: EncodingError.self) { try JSONCoder().encode(Twice()) }
    }

    @Test func `a name that is data is written as it is`() throws {
        struct Counts: SelfWriting {
            func write(to fields: inout Fields) {
                fields.add("userCount", 2)
                fields.add(named: "userName", ["homePage": 1])
                fields.add(named: "aB", user)
            }
            let user = User(id: 1, userName: "")
        }
        let text = """
            {"aB":{"friends":[],"id":1,"is_admin":false,"tags":[],"user_name":""},\
            "userName":{"homePage":1},"user_count":2}
            """
        #expect(try JSONCoder(keys: .snakeCase, layout: .sorted).string(Counts()) == text)
        #expect(try JSONCoder().string(Counts()).hasPrefix("{\"userCount\":2,\"userName\":{\"homePage\":1},\"aB\":"))
    }

    @Test func `a name that is data may be one that has been converted`() {
        struct Twice: SelfWriting {
            let name: String
            func write(to fields: inout Fields) {
                fields.add("userName", 1)
                fields.add(named: name, 2)
            }
        }
        let coder = JSONCoder(keys: .snakeCase)
        #expect(throws: EncodingError.self) { try coder.encode(Twice(name: "user_name")) }
        #expect(throws: Never.self) { try coder.encode(Twice(name: "userName")) }
    }

    @Test func `many types at once are told apart`() throws {
        #expect(try JSONCoder().string(Sixty.all) == JSONCoder().string(Sixty.all))
        let text = try JSONCoder().string([Wrapped.of(1), .of("a"), .of(true), .of(user.friends[0]), .of([1.5])])
        #expect(text.hasPrefix("[1,\"a\",true,{\"id\":-2,"))
        #expect(text.hasSuffix(",[1.5]]"))
    }

    private struct Wrapped: Encodable {
        let value: any Encodable
        static func of(_ value: any Encodable) -> Wrapped { Wrapped(value: value) }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value)
        }
    }

    /// Values of sixty types.
    private enum Sixty {
        struct Nested<Value: Encodable>: Encodable { let v: Value }

        static var all: [Wrapped] {
            var value: any Encodable = 1
            return (0..<60).map { _ in
                value = nested(value)
                return Wrapped(value: value)
            }
        }

        private static func nested(_ value: some Encodable) -> any Encodable { Nested(v: value) }
    }
}
