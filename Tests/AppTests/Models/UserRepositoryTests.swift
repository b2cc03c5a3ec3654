import Processes
import Roost
import Testing

@testable import App

/// The contract of a repository of users, on either engine.
@Suite("Users", .timeLimit(.minutes(5)))
struct UserRepositoryTests {
    /// The kinds of repository; each test has its own.
    enum Kind: CaseIterable {
        case sqlite
        case postgresql

        /// The kinds that this machine supports; ``PostgresTests`` says why if some are missing.
        static let allCases: [Kind] =
            PostgresServer.isInstalled ? [.sqlite, .postgresql] : [.sqlite]

        /// A repository with Nelson and Cathy.
        func make() async throws -> SQLUserRepository {
            switch self {
            case .sqlite: SQLUserRepository(database: try await TestDatabase.sqlite())
            case .postgresql: SQLUserRepository(database: try await TestDatabase.postgresql())
            }
        }
    }

    private static let two = [User(id: 1, name: "Nelson"), User(id: 2, name: "Cathy")]

    @Test(arguments: Kind.allCases)
    func `a new one has Nelson and Cathy`(kind: Kind) async throws {
        let users = try await kind.make()
        #expect(try await users.list(UserQuery()) == Page(Self.two))
        #expect(try await users.user(2) == Self.two[1])
        for id in [3, 0, -1, .max, .min] { #expect(try await users.user(id) == nil) }
    }

    @Test(arguments: Kind.allCases)
    func `ids count on, and are never used again`(kind: Kind) async throws {
        let users = try await kind.make()
        #expect(try await users.add("Ada") == User(id: 3, name: "Ada"))
        #expect(try await users.remove(3, version: nil) == .done(User(id: 3, name: "Ada")))
        #expect(try await users.user(3) == nil)
        #expect(try await users.add("Bo") == User(id: 4, name: "Bo"))
        #expect(try await users.list(UserQuery()).rows.map(\.id) == [1, 2, 4])
    }

    @Test(arguments: Kind.allCases)
    func `a name is kept as it is`(kind: Kind) async throws {
        let users = try await kind.make()
        for name in ["'; DROP TABLE users; --", "$1 \"%_\\ ?", "Zoë 🪶", String(repeating: "é", count: 100)] {
            let user = try await users.add(name)
            #expect(try await users.user(user.id)?.name == name)
            #expect(try await users.list(UserQuery(name: name)).rows == [user])
        }
    }

    @Test(arguments: Kind.allCases)
    func `a search goes on at a name that a cursor writes otherwise`(kind: Kind) async throws {
        let users = try await kind.make()
        for name in ["a~b", "A~bc", "a~~b", "a~"] { _ = try await users.add(name) }
        for (prefix, expected) in [
            ("a~b", ["a~b", "A~bc"]), ("a~~", ["a~~b"]), ("a~", ["a~", "a~b", "A~bc", "a~~b"]),
        ] {
            var (names, query) = ([String](), UserQuery(name: prefix, page: PageQuery(limit: 1)))
            while true {
                let page = try await users.list(query)
                names += page.rows.map(\.name)
                guard let next = page.links.next else { break }
                query.page.start = .after(try #require(try Request(.get, next).query["after"]))
            }
            #expect(names == expected)
        }
    }

    @Test(arguments: Kind.allCases)
    func `many may add at once`(kind: Kind) async throws {
        let users = try await kind.make()
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { _ = try await users.add("x") } }
            try await group.waitForAll()
        }
        #expect(try await users.list(UserQuery(page: PageQuery(limit: 200))).rows.map(\.id) == Array(1...102))
    }

    @Suite("Changes")
    struct ChangeTests {
        @Test(arguments: Kind.allCases)
        func `a picture is noted beside the name and its version`(kind: Kind) async throws {
            let users = try await kind.make()
            let last = users.changes.events.lastID
            #expect(try await users.setPicture("a.png", of: 1) == User(id: 1, name: "Nelson"))
            #expect(try await users.setPicture("b.png", of: 1)?.picture == "a.png")
            #expect(try await users.user(1) == User(id: 1, name: "Nelson", version: 1, picture: "b.png"))
            #expect(try await users.list(UserQuery(name: "nel")).rows.map(\.picture) == ["b.png"])
            #expect(try await users.list(UserQuery()).rows.map(\.picture) == ["b.png", nil])
            #expect(try await users.setPicture(nil, of: 1)?.picture == "b.png")
            #expect(try await users.setPicture("a.png", of: 3) == nil)
            #expect(users.changes.events.lastID == last)
        }

        @Test(arguments: Kind.allCases)
        func `of some pictures, those of users are told`(kind: Kind) async throws {
            let users = try await kind.make()
            _ = try await users.setPicture("a.png", of: 1)
            _ = try await users.setPicture("b.png", of: 2)
            #expect(try await users.pictures(among: ["a.png", "c.png", "A.png"]) == ["a.png"])
            #expect(try await users.pictures(among: []) == [])
        }

        @Test(arguments: Kind.allCases)
        func `of pictures that are set at once, each but the last is told to somebody`(kind: Kind) async throws {
            let users = try await kind.make()
            var told = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<20 { group.addTask { try await users.setPicture("\(number)", of: 1)?.picture } }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            told.append(try await users.user(1)?.picture)
            #expect(Set(told.compactMap { $0 }) == Set((0..<20).map { "\($0)" }))
            #expect(told.count { $0 == nil } == 1)
        }

        @Test(arguments: Kind.allCases)
        func `a user gets another name and the next version`(kind: Kind) async throws {
            let users = try await kind.make()
            let renamed = User(id: 1, name: "Nell", version: 2)
            #expect(try await users.rename(1, to: "Nell", version: 1) == .done(renamed))
            #expect(try await users.user(1) == renamed)
            #expect(try await users.list(UserQuery(name: "nelson")).rows.isEmpty)
            #expect(try await users.list(UserQuery(name: "nell")).rows == [renamed])
            #expect(
                try await users.rename(1, to: "Nelly", version: nil)
                    == .done(User(id: 1, name: "Nelly", version: 3)))
        }

        @Test(arguments: Kind.allCases)
        func `a client that has seen another version changes nothing`(kind: Kind) async throws {
            let users = try await kind.make()
            #expect(try await users.rename(1, to: "Nell", version: 2) == .conflict)
            #expect(try await users.remove(1, version: 2) == .conflict)
            #expect(try await users.user(1) == UserRepositoryTests.two[0])
        }

        @Test(arguments: Kind.allCases, [1, nil])
        func `a user that does not exist cannot be changed`(kind: Kind, version: Int?) async throws {
            let users = try await kind.make()
            #expect(try await users.rename(3, to: "Nell", version: version) == .missing)
            #expect(try await users.remove(3, version: version) == .missing)
        }

        @Test(arguments: Kind.allCases)
        func `of many that change the same version one succeeds`(kind: Kind) async throws {
            let users = try await kind.make()
            let changes = try await withThrowingTaskGroup(of: UserOutcome.self) { group in
                for number in 0..<20 {
                    group.addTask { try await users.rename(1, to: "N\(number)", version: 1) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(changes.count { $0 != .conflict } == 1)
            #expect(try await users.user(1)?.version == 2)
        }
    }

    @Suite("Pages of the list")
    struct PartTests {
        /// Ids from 1; "Ann" and "ann" sort the same, and é sorts after z.
        static let names = ["Nelson", "Cathy", "Ann", "Élise", "ann", "Zoe", "anna", "Bo"]

        private static func filled(_ kind: Kind) async throws -> SQLUserRepository {
            let users = try await kind.make()
            for name in names.dropFirst(2) { _ = try await users.add(name) }
            return users
        }

        /// The cursor of a user's place in the list that a query asks for.
        private static func cursor(of user: User, in query: UserQuery) -> String {
            query.name.isEmpty ? "\(user.id)" : "\(user.id).\(user.name.lowercased())"
        }

        /// Walks through a list forwards and then back, and returns the ids of each page.
        private static func walk(
            _ users: SQLUserRepository,
            _ first: UserQuery
        ) async throws -> (forwards: [[Int]], back: [[Int]]) {
            var query = first
            var (forwards, back): ([[Int]], [[Int]]) = ([], [])
            while true {
                let page = try await users.list(query)
                forwards.append(page.rows.map(\.id))
                #expect((page.links.previous != nil) == (query.page.start != .first))
                guard page.links.next != nil else { break }
                query.page.start = .after(Self.cursor(of: try #require(page.rows.last), in: query))
            }
            while let first = try await users.list(query).rows.first {
                query.page.start = .before(Self.cursor(of: first, in: query))
                let page = try await users.list(query)
                back.append(page.rows.map(\.id))
                #expect(page.links.next != nil)
                guard page.links.previous != nil else { break }
            }
            return (forwards, back)
        }

        @Test(arguments: Kind.allCases)
        func `all users are in the order of their ids`(kind: Kind) async throws {
            let (forwards, back) = try await Self.walk(Self.filled(kind), UserQuery(page: PageQuery(limit: 3)))
            #expect(forwards == [[1, 2, 3], [4, 5, 6], [7, 8]])
            #expect(back == [[4, 5, 6], [1, 2, 3]])
        }

        @Test(arguments: Kind.allCases)
        func `a search is in the order of names`(kind: Kind) async throws {
            let users = try await Self.filled(kind)
            let (forwards, back) = try await Self.walk(users, UserQuery(name: "AN", page: PageQuery(limit: 2)))
            #expect(forwards == [[3, 5], [7]])
            #expect(back == [[3, 5]])
            #expect(try await users.list(UserQuery(name: "é")).rows.map(\.name) == ["Élise"])
            #expect(try await users.list(UserQuery(name: "ANNA")).rows.map(\.id) == [7])
            for name in ["annaa", "%", "_", "'", "\u{10FFFF}"] {
                #expect(try await users.list(UserQuery(name: name)) == Page([]))
            }
        }

        @Test(arguments: Kind.allCases)
        func `a page begins where a removed user was`(kind: Kind) async throws {
            let users = try await Self.filled(kind)
            let gone = "4"
            _ = try await users.remove(4, version: nil)
            for (start, id) in [(PageQuery.Start.after(gone), 5), (.before(gone), 3)] {
                let query = UserQuery(page: PageQuery(limit: 1, start: start))
                #expect(try await users.list(query).rows.map(\.id) == [id])
            }
        }

        @Test(arguments: Kind.allCases, [Int.min, 0, .max])
        func `a page can begin where there is no user`(kind: Kind, id: Int) async throws {
            let users = try await Self.filled(kind)
            let place = "\(id)"
            let (after, before) = (PageQuery(start: .after(place)), PageQuery(start: .before(place)))
            #expect(try await users.list(UserQuery(page: after)).rows.count == (id == .max ? 0 : 8))
            #expect(try await users.list(UserQuery(page: before)).rows.count == (id == .max ? 8 : 0))
        }
    }
}
