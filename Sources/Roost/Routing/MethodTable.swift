import HTTPTypes

/// Some of an application's methods, one bit each.
struct MethodSet: OptionSet, BitwiseCopyable {
    let rawValue: UInt64

    static let get = MethodSet(KnownMethod.get)
    static let head = MethodSet(KnownMethod.head)

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ method: KnownMethod) { rawValue = 1 << UInt64(method.rawValue) }
}

/// The methods of an application's routes: first the well-known ones, whose bits are fixed, then its custom ones.
struct MethodTable {
    private let others: [HTTPRequest.Method]

    /// The most custom methods that there can be.
    private static let room = UInt64.bitWidth - Int(KnownMethod.other.rawValue)

    /// - Throws: ``StartError`` for more methods than a set has bits.
    init(_ methods: [HTTPRequest.Method]) throws(StartError) {
        others = Set(methods.filter { KnownMethod($0) == .other }).sorted { $0.rawValue < $1.rawValue }
        guard others.count <= Self.room else {
            throw StartError.configuration(
                "The routes have \(others.count) custom methods; at most \(Self.room) are possible.")
        }
    }

    /// The set of one method; an empty one when no route has it.
    func set(of method: HTTPRequest.Method) -> MethodSet {
        let known = KnownMethod(method)
        return known == .other ? set(ofOther: method) : MethodSet(known)
    }

    /// The set of a request's method.
    @inline(__always)
    func set(of request: borrowing Request) -> MethodSet {
        let known = request.knownMethod
        return known == .other ? set(ofOther: request.method) : MethodSet(known)
    }

    private func set(ofOther method: HTTPRequest.Method) -> MethodSet {
        guard let place = others.firstIndex(of: method) else { return [] }
        return MethodSet(rawValue: 1 << UInt64(Int(KnownMethod.other.rawValue) + place))
    }

    /// The methods of a set.
    func methods(in set: MethodSet) -> Set<HTTPRequest.Method> {
        let known = (0..<KnownMethod.other.rawValue).compactMap { KnownMethod(rawValue: $0)?.method }
        return Set((known + others).filter { !self.set(of: $0).isDisjoint(with: set) })
    }
}
