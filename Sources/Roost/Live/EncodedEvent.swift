import Synchronization

/// An event that has come as a text. It is decoded when somebody reads it, because most are read by nobody.
package final class EncodedEvent<Event: Sendable>: Sendable {
    let id: Int
    private let state: Mutex<State>
    private let decode: @Sendable (Int, String) -> Event?

    private enum State {
        case text(String)
        case message(TopicMessage<Event>)
        case unreadable
    }

    /// - Parameter decode: Makes the event of its id and its text; nil if that cannot be done. It may be called more
    ///   than once.
    package init(id: Int, text: String, decode: @escaping @Sendable (Int, String) -> Event?) {
        self.id = id
        self.decode = decode
        state = Mutex(.text(text))
    }

    /// The event as subscribers get it; nil if it cannot be decoded.
    var message: TopicMessage<Event>? {
        switch state.withLock({ $0 }) {
        case .message(let message): message
        case .unreadable: nil
        case .text(let text): made(of: text)
        }
    }

    // Decoding is the application's code, and so happens outside of the lock.
    private func made(of text: String) -> TopicMessage<Event>? {
        let message = decode(id, text).map { TopicMessage(id: id, event: $0, TopicMessage.fields(of: $0)) }
        return state.withLock { state in
            if case .message(let first) = state { return first }
            state = message.map { .message($0) } ?? .unreadable
            return message
        }
    }
}
