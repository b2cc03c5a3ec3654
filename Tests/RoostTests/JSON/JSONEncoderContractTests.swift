import FoundationEssentials
import Testing

@testable import Roost

/// The contract of `encode(to:)`: either the text is right, or there is an error.
@Suite(.timeLimit(.minutes(5))) struct `Values that write themselves as JSON` {
    struct Value: Encodable, Sendable {
        let body: @Sendable (any Encoder) throws -> Void
        init(_ body: @escaping @Sendable (any Encoder) throws -> Void) { self.body = body }
        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let value: Value

        init(_ name: String, _ text: String, _ body: @escaping @Sendable (any Encoder) throws -> Void) {
            testDescription = name
            self.text = text
            value = Value(body)
        }
    }

    static let right = [
        Case("nested containers in turn", "{\"a\":{\"x\":1,\"y\":3},\"b\":[2,4],\"c\":5}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            var inner = object.nestedContainer(keyedBy: AnyJSONKey.self, forKey: "a")
            var array = object.nestedUnkeyedContainer(forKey: "b")
            try inner.encode(1, forKey: "x")
            try array.encode(2)
            try inner.encode(3, forKey: "y")
            try array.encode(4)
            try object.encode(5, forKey: "c")
        },
        Case("a super encoder after its siblings", "{\"super\":{\"x\":1},\"own\":2}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            let base = object.superEncoder()
            try object.encode(2, forKey: "own")
            var inner = base.container(keyedBy: AnyJSONKey.self)
            try inner.encode(1, forKey: "x")
        },
        Case("a super encoder filled late with a value", "[\"text\",2]") { encoder in
            var array = encoder.unkeyedContainer()
            let base = array.superEncoder()
            try array.encode(2)
            var value = base.singleValueContainer()
            try value.encode("text")
        },
        Case("a super encoder filled late with an array", "{\"a\":[1,[2]],\"b\":0}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            let base = object.superEncoder(forKey: "a")
            try object.encode(0, forKey: "b")
            var array = base.unkeyedContainer()
            try array.encode(1)
            try array.encode([2])
        },
        Case("a super encoder never used", "{\"super\":{},\"a\":1}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            _ = object.superEncoder()
            try object.encode(1, forKey: "a")
        },
        Case("the same container twice", "{\"a\":1,\"b\":2,\"c\":3}") { encoder in
            var first = encoder.container(keyedBy: AnyJSONKey.self)
            try first.encode(1, forKey: "a")
            var second = encoder.container(keyedBy: AnyJSONKey.self)
            try second.encode(2, forKey: "b")
            try first.encode(3, forKey: "c")
        },
        Case("the same array twice", "[1,1,2]") { encoder in
            var first = encoder.unkeyedContainer()
            try first.encode(1)
            var second = encoder.unkeyedContainer()
            try second.encode(second.count)
            try first.encode(first.count)
        },
        Case("an empty container", "{}") { encoder in _ = encoder.container(keyedBy: AnyJSONKey.self) },
        Case("an element that writes nothing", "[{},1]") { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(Value { _ in })
            try array.encode(1)
        },
        Case("a failed member is taken back", "{\"a\":1,\"c\":{\"d\":2}}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            try object.encode(1, forKey: "a")
            try? object.encode([Failing()], forKey: "b")
            try? object.encode(Failing(), forKey: "b")
            var inner = object.nestedContainer(keyedBy: AnyJSONKey.self, forKey: "c")
            try? inner.encode(Failing(), forKey: "b")
            try inner.encode(2, forKey: "d")
        },
        Case("a failed first element is taken back", "[2]") { encoder in
            var array = encoder.unkeyedContainer()
            try? array.encode(["a": ["b": Failing()]])
            try array.encode(2)
        },
        Case("a failed single value can be replaced", "{\"b\":1}") { encoder in
            var value = encoder.singleValueContainer()
            try? value.encode(["a": Failing()])
            try? value.encode(Failing())
            try value.encode(["b": 1])
        },
        Case("an outer object, while an inner one is open", "{\"a\":{\"x\":1,\"y\":3},\"b\":2}") { encoder in
            let shared = Shared(encoder.container(keyedBy: AnyJSONKey.self))
            try shared.writer?.encode(
                Value { encoder in
                    var inner = encoder.container(keyedBy: AnyJSONKey.self)
                    try inner.encode(1, forKey: "x")
                    try shared.writer?.encode(2, forKey: "b")
                    try inner.encode(3, forKey: "y")
                }, forKey: "a")
        },
        Case("an outer object, before the inner value", "{\"a\":[3],\"b\":2}") { encoder in
            let shared = Shared(encoder.container(keyedBy: AnyJSONKey.self))
            try shared.writer?.encode(
                Value { encoder in
                    try shared.writer?.encode(2, forKey: "b")
                    try [3].encode(to: encoder)
                }, forKey: "a")
        },
        Case("a late value that fails before it writes", "{\"super\":7,\"a\":{\"x\":1,\"y\":2}}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            var late = object.superEncoder().singleValueContainer()
            var inner = object.nestedContainer(keyedBy: AnyJSONKey.self, forKey: "a")
            try inner.encode(1, forKey: "x")
            try? late.encode(Value { _ in throw CancellationError() })
            try inner.encode(2, forKey: "y")
            try late.encode(7)
        },
        Case("a late value that writes around itself and fails", "{\"super\":7,\"x\":1}") { encoder in
            let shared = Shared(encoder.container(keyedBy: AnyJSONKey.self))
            guard var late = shared.container?.superEncoder().singleValueContainer() else { return }
            try? late.encode(
                Value { _ in
                    try shared.writer?.encode(1, forKey: "x")
                    throw CancellationError()
                })
            try late.encode(7)
        },
        Case("a late value that makes another place and fails", "{\"a\":7,\"b\":{}}") { encoder in
            let shared = Shared(encoder.container(keyedBy: AnyJSONKey.self))
            guard var late = shared.container?.superEncoder(forKey: "a").singleValueContainer() else { return }
            try? late.encode(
                Value { _ in
                    _ = shared.container?.superEncoder(forKey: "b")
                    throw CancellationError()
                })
            try late.encode(7)
        },
        Case("containers in turn, whose errors are dropped", "{\"a\":{\"x\":1,\"y\":3},\"b\":2}") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            var inner = object.nestedContainer(keyedBy: AnyJSONKey.self, forKey: "a")
            try? inner.encode(1, forKey: "x")
            try? object.encode(2, forKey: "b")
            try? inner.encode(3, forKey: "y")
        },
        Case("an encoding inside an encoding", "[\"[1]\",2]") { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(Value { try JSONCoder().string([1]).encode(to: $0) })
            try array.encode(2)
        },
    ]

    static let wrong = [
        Case("nothing at all", "wrote no value") { _ in },
        Case("two values in one place", "second value") { encoder in
            var value = encoder.singleValueContainer()
            try value.encode(1)
            try value.encode(2)
        },
        Case("two objects in one place", "second value") { encoder in
            var value = encoder.singleValueContainer()
            try value.encode(["a": 1])
            try value.encode(["b": 1])
        },
        Case("a value after a container", "second value") { encoder in
            var array = encoder.unkeyedContainer()
            try array.encode(1)
            var value = encoder.singleValueContainer()
            try value.encode(2)
        },
        Case("a container after a value", "second value") { encoder in
            var value = encoder.singleValueContainer()
            try value.encode(2)
            _ = encoder.container(keyedBy: AnyJSONKey.self)
        },
        Case("an array where an object is", "second value") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            try object.encode(1, forKey: "a")
            var array = encoder.unkeyedContainer()
            try? array.encode(1)
        },
        Case("a container that outlived its value", "used after") { encoder in
            var array = encoder.unkeyedContainer()
            let shared = Shared()
            try array.encode(Value { shared.container = $0.container(keyedBy: AnyJSONKey.self) })
            try array.encode(Value { _ = $0.container(keyedBy: AnyJSONKey.self) })
            try shared.writer?.encode(1, forKey: "a")
        },
        Case("a container of a value that failed", "used after") { encoder in
            let shared = Shared()
            var value = encoder.singleValueContainer()
            try? value.encode(
                Value { encoder in
                    shared.container = encoder.container(keyedBy: AnyJSONKey.self)
                    throw CancellationError()
                })
            try shared.writer?.encode(1, forKey: "a")
        },
        Case("one name in two containers", "the object has this name already") { encoder in
            var first = encoder.container(keyedBy: AnyJSONKey.self)
            try first.encode(1, forKey: "a")
            var second = encoder.container(keyedBy: AnyJSONKey.self)
            try second.encode(2, forKey: "a")
        },
        Case("one name twice, in turn", "the object has this name already") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            var inner = object.nestedContainer(keyedBy: AnyJSONKey.self, forKey: "a")
            try inner.encode(1, forKey: "x")
            try object.encode(2, forKey: "b")
            try inner.encode(3, forKey: "x")
        },
        Case("two values in a late place", "second value") { encoder in
            var object = encoder.container(keyedBy: AnyJSONKey.self)
            let late = object.superEncoder()
            try object.encode(2, forKey: "b")
            var value = late.singleValueContainer()
            try value.encode(1)
            try value.encode(2)
        },
        Case("a late value that is too deep", "nested deeper") { encoder in
            var array = encoder.unkeyedContainer()
            var late = array.superEncoder()
            try array.encode(1)
            for _ in 0..<200 {
                var inner = late.unkeyedContainer()
                late = inner.superEncoder()
            }
            var value = late.singleValueContainer()
            try value.encode(1)
        },
        Case("a number that JSON has not", "no number for nan") { try Double.nan.encode(to: $0) },
        Case("a date that ISO 8601 has not", "0000 to 9999") { encoder in
            var value = encoder.singleValueContainer()
            try value.encode(Date(timeIntervalSince1970: .infinity))
        },
    ]

    @Test(arguments: right)
    func `what is allowed is written`(example: Case) throws {
        #expect(try JSONCoder().string(example.value) == example.text)
        #expect(try JSONCoder().string([example.value, example.value]) == "[\(example.text),\(example.text)]")
    }

    @Test(arguments: wrong)
    func `what is not allowed is an error`(example: Case) throws {
        let error = #expect(throws: EncodingError.self) { try JSONCoder().encode(example.value) }
        #expect("\(String(describing: error))".contains(example.text))
    }
}

/// A value that writes something, and then fails.
private struct Failing: Encodable {
    func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(1)
        throw CancellationError()
    }
}

/// A container that several values write to.
///
/// Sendable, because only one thread encodes; the closures that capture it are Sendable only to be test arguments.
private final class Shared: @unchecked Sendable {
    var container: KeyedEncodingContainer<AnyJSONKey>?

    /// A copy to write with: it writes to the same object, and two may be in use at once.
    var writer: KeyedEncodingContainer<AnyJSONKey>? {
        get { container }
        set {}
    }

    init(_ container: KeyedEncodingContainer<AnyJSONKey>? = nil) { self.container = container }
}
