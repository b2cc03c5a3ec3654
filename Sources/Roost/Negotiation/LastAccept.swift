import Glibc

/// The `Accept` field that a thread has read last. The next request often has the same: a browser sends eight ranges
/// with each, and to compare them costs a tenth of reading them.
final class LastAccept: Reusable {
    private var text: [UInt8] = []
    private var word: UInt64 = 0

    private static let kept = ThreadKept<LastAccept>()
    /// Longer fields are not kept.
    private static let maximumSize = 512

    /// The word of an ``Accept``.
    /// - Parameter read: Reads it from the bytes of the only field line; from all lines, if there is not exactly one.
    static func word(of fields: ReceivedFields, _ read: (UnsafeBufferPointer<UInt8>?) -> UInt64) -> UInt64 {
        guard let bytes = fields.only(.accept), bytes.count <= maximumSize else { return read(nil) }
        let last = kept.take() ?? LastAccept()
        defer { kept.giveBack(last) }
        if !last.isSame(bytes) {
            last.word = read(bytes)
            last.text = Array(bytes)
        }
        return last.word
    }

    private func isSame(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard word != 0, text.count == bytes.count else { return false }
        return text.withUnsafeBufferPointer { text in
            guard let left = text.baseAddress, let right = bytes.baseAddress else { return true }
            return memcmp(left, right, text.count) == 0
        }
    }

    func clear() -> Bool { true }
}
