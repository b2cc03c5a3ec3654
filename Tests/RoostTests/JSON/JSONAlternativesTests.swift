import Synchronization
import Testing

@testable import Roost

/// Types that try one thing after the other fail on their way to a right value, and that is no fault of the text.
@Suite(.timeLimit(.minutes(5))) struct `JSON for types that read alternatives` {
    private enum Either: Decodable {
        case number(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }

    private enum Row: Decodable {
        case numbers([[Int]])
        case texts([[String]])
        case one(Either)
        case rows([Row])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let numbers = try? container.decode([[Int]].self) {
                self = .numbers(numbers)
            } else if let texts = try? container.decode([[String]].self) {
                self = .texts(texts)
            } else if let one = try? container.decode(Either.self) {
                self = .one(one)
            } else {
                self = .rows(try container.decode([Row].self))
            }
        }
    }

    private enum Shape: Decodable {
        struct Circle: Decodable { var radius: Int }
        struct Square: Decodable { var side: Int }

        case circle(Circle)
        case square(Square)

        init(from decoder: any Decoder) throws {
            if let circle = try? Circle(from: decoder) {
                self = .circle(circle)
            } else {
                self = .square(try Square(from: decoder))
            }
        }
    }

    /// A list of numbers that leaves out what is none.
    private struct Lossy: Decodable {
        var numbers: [Int] = []

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            while !list.isAtEnd {
                if let number = try? list.decode(Int.self) {
                    numbers.append(number)
                } else {
                    _ = try list.decode(JSONAnything.self)
                }
            }
        }
    }

    private struct Order: Decodable {
        var one: Either?
        var list: [Either]?
        var rows: [Row]?
        var lossy: Lossy?
        var shape: Shape?
        var count: Int
    }

    private static func faults<Value: Decodable>(
        _ type: Value.Type, _ json: String, by coder: JSONCoder = JSONCoder()
    ) -> [String] {
        let bytes = Array(json.utf8)
        return bytes.withUnsafeBufferPointer { coder.faults(of: type, in: $0, isFromClient: true).all.map { "\($0)" } }
    }

    private static func list(_ element: String, count: Int) -> String {
        "[" + Array(repeating: element, count: count).joined(separator: ",") + "]"
    }

    @Test(arguments: [
        #""one":"x""#, #""list":["x",1,"y"]"#, #""rows":[[["a"]],["b"],1,"c",[[1]],[[[["d"]]]]]"#,
        #""lossy":["x",1,{},2]"#, #""shape":{"side":1}"#,
        #""list":\#(list(#""x""#, count: 5000))"#, #""lossy":\#(list(#""x""#, count: 5000))"#,
        #""rows":[\#(list(#"["x"]"#, count: 50)),["b"]]"#,
    ])
    func `what is right is not blamed for what is wrong elsewhere`(members: String) {
        #expect(
            Self.faults(Order.self, "{\(members),\"count\":\"x\"}") == [
                "/count: Expected a whole number, not a string."
            ])
    }

    @Test func `members of the alternative that fits are known, and no others`() throws {
        let coder = JSONCoder(unknownMembers: .refused)
        let order = try coder.decode(Order.self, from: Array(#"{"shape":{"side":1},"count":1}"#.utf8))
        #expect(order.count == 1)
        #expect(throws: JSONDecodingError.self) {
            try coder.decode(Order.self, from: Array(#"{"shape":{"side":1,"more":2},"count":1}"#.utf8))
        }
        #expect(
            Self.faults(Order.self, #"{"shape":{"side":1},"count":"x"}"#, by: coder) == [
                "/count: Expected a whole number, not a string."
            ])
        #expect(
            Self.faults(Order.self, #"{"shape":{"side":1,"more":2},"count":"x"}"#, by: coder) == [
                "/count: Expected a whole number, not a string.", "/shape/more: This is not known here.",
            ])
    }

    @Test func `what fits no alternative is told, and no more than twenty times`() {
        #expect(
            Self.faults(Order.self, #"{"one":true,"list":["x",true],"count":1}"#) == [
                "/one: Expected a whole number, not true.", "/list/1: Expected a whole number, not true.",
            ])
        let many = Self.faults(Order.self, "{\"list\":\(Self.list("true", count: 5000)),\"count\":1}")
        #expect(many.count == 20)
    }

    // MARK: Time

    private final class Counter: Sendable { let count = Mutex(0) }

    /// A kind, or a list of such values; it counts how often it is read.
    private enum Nest: Decodable {
        enum Kind: String, Decodable { case barn }

        case kind(Kind)
        case nests([Nest])

        static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "counter") }

        init(from decoder: any Decoder) throws {
            if let key = Self.key, let counter = decoder.userInfo[key] as? Counter {
                counter.count.withLock { $0 += 1 }
            }
            let container = try decoder.singleValueContainer()
            if let kind = try? container.decode(Kind.self) {
                self = .kind(kind)
            } else {
                self = .nests(try container.decode([Nest].self))
            }
        }
    }

    private struct Tree: Decodable {
        var nest: Nest
        var count: Int
    }

    /// A branch or a loop; it counts how often it is read.
    private indirect enum Node: Decodable {
        struct Branch: Decodable {
            var condition: String
            var then: Node
            var items: [Node]
        }

        struct Loop: Decodable {
            var variable: String
            var then: Node?
        }

        case branch(Branch)
        case loop(Loop)

        init(from decoder: any Decoder) throws {
            if let key = Nest.key, let counter = decoder.userInfo[key] as? Counter {
                counter.count.withLock { $0 += 1 }
            }
            if let branch = try? Branch(from: decoder) {
                self = .branch(branch)
            } else {
                self = .loop(try Loop(from: decoder))
            }
        }
    }

    private struct Program: Decodable {
        var node: Node
        var count: Int
    }

    @Test func `a deep text is not read again at each depth`() throws {
        let (depth, counter) = (60, Counter())
        let nest = String(repeating: "[", count: depth) + #""barn""# + String(repeating: "]", count: depth)
        let coder = JSONCoder(userInfo: [try #require(Nest.key): counter])
        #expect(
            Self.faults(Tree.self, "{\"nest\":\(nest),\"count\":\"x\"}", by: coder) == [
                "/count: Expected a whole number, not a string."
            ])
        #expect(counter.count.withLock { $0 } < 15 * depth)
    }

    @Test(arguments: [JSONCoder.UnknownMembers.ignored, .refused])
    func `what is right is not read again for each alternative above it`(unknown: JSONCoder.UnknownMembers) throws {
        let (depth, counter) = (30, Counter())
        let node =
            String(repeating: #"{"variable":"x","then":"#, count: depth) + #"{"variable":"x"}"#
            + String(repeating: "}", count: depth)
        let coder = JSONCoder(unknownMembers: unknown, userInfo: [try #require(Nest.key): counter])
        #expect(
            Self.faults(Program.self, "{\"node\":\(node),\"count\":\"x\"}", by: coder) == [
                "/count: Expected a whole number, not a string."
            ])
        #expect(counter.count.withLock { $0 } < 30 * depth)
    }
}
