import FoundationEssentials
import Synchronization

/// Finds everything in a JSON text that does not fit a type.
///
/// FoundationEssentials' decoder stops at the first fault, and for a number that does not fit its type, its error has
/// no coding path. So a value that was refused is decoded once more, through containers that note each failure
/// (``JSONTracingDecoder``), and go on with a value that nobody sees. They also see which members the type does not
/// have.
final class JSONTrace: Sendable {
    private let found = Mutex<[Fault]>([])
    /// By the path of each object that was read.
    private let unknown = Mutex<[[ExactText]: Unknown]>([:])
    /// Whether something was left out in which there is a failure.
    private let isIncomplete = Mutex(false)
    /// Whether failures are thrown on as they are, and only the members that a type does not have are noted.
    private let isStrict = Mutex(false)
    /// The hashes of the places whose values are known to be right: at most one for each value and type.
    private let right = Mutex<Set<Int>>([])
    private let coder: JSONCoder

    /// The members of an object that its type does not have.
    private struct Unknown {
        let path: [any CodingKey]
        /// The number of objects that were read before.
        let number: Int
        var names: [ExactText]
        /// Whether the text has more members than the type sees.
        let hasDoubles: Bool
    }

    private init(_ coder: JSONCoder) { self.coder = coder }

    /// A failure: its error, the coding path of its place, and the type that was wanted there (`Never` for a member
    /// that the type does not have).
    struct Fault {
        let error: DecodingError
        let path: [any CodingKey]
        let type: any Any.Type
    }

    /// Ends decoding where no value can be made up to go on with.
    struct Noted: Error {
        /// Whether that was a choice whose other values are not known: what it is in can be left out, unlike an object.
        let isChoice: Bool
    }

    /// The most faults that are noted: for each, the text is read once more to find its place.
    private static let maximumFaults = 20
    /// The depth of the deepest values that are made once more, because something in them was noted.
    private static let maximumDepth = 8

    /// Decodes a value again, only to see where it fails.
    /// - Parameter isRight: Whether it is known to be decoded, so that only members can be found that the type does not
    ///   have.
    /// - Returns: The value if a whole one could be made, which is good for nothing but being checked further.
    static func faults<Value: Decodable>(
        of type: Value.Type, in text: UnsafeBufferPointer<UInt8>, by coder: JSONCoder, isFromClient: Bool,
        isRight: Bool = false
    ) -> (value: Value?, faults: [Fault]) {
        guard let key = JSONTracedValue<Value>.key else { return (nil, []) }
        let (trace, decoder) = (JSONTrace(coder), coder.decoder(isFromClient: isFromClient))
        decoder.userInfo[key] = trace
        trace.isStrict.withLock { $0 = isRight }
        let value = try? decoder.decode(JSONTracedValue<Value>.self, from: Data(text)).value
        let isWhole = !trace.isIncomplete.withLock { $0 }
        return (isWhole ? value : nil, trace.found.withLock { $0 } + trace.unknownFaults)
    }

    /// Notes which members of an object a type of keys does not have. Several types may read one object, such as those
    /// of a class and its superclass: then a member is known if any of them has it.
    func note<Key: CodingKey>(_ type: Key.Type, in decoder: any Decoder) {
        guard coder.unknownMembers == .refused,
            let all = try? decoder.container(keyedBy: PathKey.self).allKeys
        else { return }
        let names = all.map(\.stringValue).filter { Key(stringValue: $0) == nil }.sorted().map(ExactText.init)
        let path = decoder.codingPath
        let place = path.map { ExactText($0.stringValue) }
        unknown.withLock { unknown in
            if let before = unknown[place]?.names {
                let names = Set(names)
                unknown[place]?.names = before.filter(names.contains)
            } else {
                // Two names can be converted to one. What takes any name, such as a dictionary, has them as they are.
                let hasDoubles =
                    coder.keys == .snakeCase && Key(stringValue: "") == nil && Self.memberCount(of: decoder) > all.count
                unknown[place] = Unknown(path: path, number: unknown.count, names: names, hasDoubles: hasDoubles)
            }
        }
    }

    /// The number of an object's members in the text: the names of a dictionary are not converted.
    private static func memberCount(of decoder: any Decoder) -> Int {
        (try? decoder.singleValueContainer().decode([String: JSONAnything].self))?.count ?? 0
    }

    private var unknownFaults: [Fault] {
        let objects = unknown.withLock { $0.values.filter { !$0.names.isEmpty || $0.hasDoubles } }
        let all = objects.sorted { $0.number < $1.number }.prefix(Self.maximumFaults).flatMap { object in
            object.names.map { name in
                Self.unknown(object.path + [PathKey(stringValue: name.text)], "This is not known here")
            } + (object.hasDoubles ? [Self.unknown(object.path, "Two members mean the same")] : [])
        }
        return Array(all.prefix(Self.maximumFaults))
    }

    private static func unknown(_ path: [any CodingKey], _ message: String) -> Fault {
        let context = DecodingError.Context(codingPath: path, debugDescription: message)
        return Fault(error: .dataCorrupted(context), path: path, type: Never.self)
    }

    /// Makes a value, and notes what in it does not fit.
    ///
    /// A type that reads alternatives fails on its way to a right value, too. So a value in which something was noted
    /// is made once more without noting; if that succeeds, nothing was wrong with it. This is done down to a depth
    /// only, and once for each place, so that the time does not grow with the depth of the text.
    func value<Value: Decodable>(of type: Value.Type, from decoder: any Decoder) throws -> Value {
        let tracing = JSONTracingDecoder(decoder: decoder, trace: self)
        if isStrict.withLock({ $0 }) { return try Value(from: tracing) }
        let place = Self.place(of: type, at: decoder.codingPath)
        // Its faults were taken back, and its members noted, when another alternative read it.
        if let place, right.withLock({ $0.contains(place) }) { return try Value(from: decoder) }
        let before = found.withLock { $0.count }
        let wasIncomplete = isIncomplete.withLock { $0 }
        let noted = Result { try note(type, at: decoder.codingPath) { try Value(from: tracing) } }
        guard let place, found.withLock({ $0.count }) > before,
            let value = try? strictly({ try Value(from: tracing) })
        else { return try noted.get() }
        right.withLock { _ = $0.insert(place) }
        found.withLock { $0.removeSubrange(before...) }
        isIncomplete.withLock { $0 = wasIncomplete }
        return value
    }

    /// A number for a type at a path; nil where no value is made once more. Of the whole, whose path is empty, the
    /// answer is known.
    private static func place(of type: any Any.Type, at path: [any CodingKey]) -> Int? {
        guard (1...maximumDepth).contains(path.count) else { return nil }
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(type))
        for key in path {
            let name = key.stringValue
            hasher.combine(name.utf8.count)
            hasher.combine(ExactText(name))
        }
        return hasher.finalize()
    }

    /// Makes a value, or throws what it throws, and notes no failure.
    private func strictly<Value>(_ make: () throws -> Value) throws -> Value {
        isStrict.withLock { $0 = true }
        defer { isStrict.withLock { $0 = false } }
        return try make()
    }

    /// Notes a failure, and returns a value in place of the one that failed.
    func note<Value>(_ type: Value.Type, at path: [any CodingKey], _ make: () throws -> Value) throws -> Value {
        do { return try make() } catch let noted as Noted {
            guard let list = Placeholder.list(of: type), canLeaveOut(type, after: noted) else { throw noted }
            return list
        } catch let error where !isStrict.withLock({ $0 }) && (error is DecodingError || Self.isLeaf(type)) {
            // For a number that does not fit, the decoder has an error of its own, without a path.
            let unfit = DecodingError.Context(codingPath: [], debugDescription: "")
            let fault = Fault(error: error as? DecodingError ?? .dataCorrupted(unfit), path: path, type: type)
            let count = found.withLock { found in
                // A type that reads alternatives goes on, whatever is thrown.
                if found.count < Self.maximumFaults { found.append(fault) }
                return found.count
            }
            guard count < Self.maximumFaults, let value = Placeholder.value(of: type) else {
                throw Noted(isChoice: type is any RawRepresentable.Type)
            }
            return value
        }
    }

    /// Whether decoding can go on without an optional value, or without the elements of a list, in which a failure was
    /// noted.
    func canLeaveOut(_ type: any Any.Type, after noted: Noted) -> Bool {
        guard noted.isChoice, found.withLock({ $0.count < Self.maximumFaults }) else { return false }
        // A rule would say that more is missing than the choice itself.
        if !(type is any RawRepresentable.Type) { isIncomplete.withLock { $0 = true } }
        return true
    }

    /// Whether the decoder makes values of a type itself, without its `init(from:)`, or the type takes anything.
    static func isLeaf(_ type: any Any.Type) -> Bool {
        switch type {
        case is Bool.Type, is String.Type, is any FixedWidthInteger.Type, is any BinaryFloatingPoint.Type,
            is Decimal.Type, is Date.Type, is Data.Type, is URL.Type, is JSONValue.Type:
            true
        default: false
        }
    }
}

/// Any value, of which nothing is read.
struct JSONAnything: Decodable {
    init(from decoder: any Decoder) {}
}

/// A value that is decoded through containers that note failures.
struct JSONTracedValue<Value: Decodable>: Decodable {
    static var key: CodingUserInfoKey? { CodingUserInfoKey(rawValue: "Roost.JSONTrace") }

    let value: Value

    init(from decoder: any Decoder) throws {
        guard let key = Self.key, let trace = decoder.userInfo[key] as? JSONTrace else {
            value = try Value(from: decoder)
            return
        }
        value = try trace.value(of: Value.self, from: decoder)
    }
}
