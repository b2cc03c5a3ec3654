import Synchronization

/// What a change of histories has found out.
final class Answer: Sendable {
    private let number = Atomic(0)

    func set(_ value: Int) { number.store(value, ordering: .relaxed) }

    var value: Int { number.load(ordering: .relaxed) }
}
