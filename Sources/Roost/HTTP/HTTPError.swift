public import HTTPTypes

/// An error that is a response: throw it anywhere while handling a request.
///
///     throw HTTPError(.notFound)
///     throw HTTPError(.conflict, "A user with this name exists.")
public struct HTTPError: Error, Sendable {
    /// The status of the response.
    public var status: HTTPResponse.Status
    /// One sentence for the client, in English; nil shows the status alone.
    public var message: String? {
        get { sentence?.text }
        set { sentence = newValue.map { Sentence($0) } }
    }
    /// The sentence for the client, which can be translated.
    public var sentence: Sentence?
    /// Fields that the response carries, such as `Allow` or `Retry-After`.
    public var headers: Headers
    /// The wrong parts of the body or of the query; empty when the error is not about parts.
    public var parts: [Part]

    /// One wrong part of a body, or one wrong parameter of a query.
    public struct Part: Sendable, Hashable {
        /// The place of the part, as a JSON pointer (RFC 6901): `/user/email`.
        public var pointer: String
        /// Whether it is a parameter of the query, which the pointer names: `/page`.
        package var isParameter = false
        /// The mistake in the part, as one sentence for the client, in English.
        public var message: String {
            get { sentence.text }
            set { sentence = Sentence(newValue) }
        }
        /// The mistake in the part, as a sentence that can be translated.
        public var sentence: Sentence

        /// A wrong part, with a sentence about its mistake.
        public init(_ pointer: String, _ message: String) { self.init(pointer, Sentence(message)) }

        /// A wrong part, with a sentence about its mistake that has numbers or names in it.
        public init(_ pointer: String, _ sentence: Sentence) {
            self.pointer = pointer
            self.sentence = sentence
        }

        /// A parameter of the query with what is wrong with it.
        init(parameter name: String, _ sentence: Sentence) {
            self.init(JSONPointer.step(to: name), sentence)
            isParameter = true
        }

        /// The last name of the pointer, such as the name of a form's field: `email`. `~1` in it stands for `/`, and
        /// `~0` for `~` (RFC 6901 §4).
        public var name: String {
            let token = pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
            var bytes = Array(token ?? pointer.utf8[...]).makeIterator()
            var name: [UInt8] = []
            while let byte = bytes.next() {
                guard byte == UInt8(ascii: "~") else {
                    name.append(byte)
                    continue
                }
                switch bytes.next() {
                case UInt8(ascii: "1"): name.append(UInt8(ascii: "/"))
                case UInt8(ascii: "0"): name.append(byte)
                case let other: name += [byte] + (other.map { [$0] } ?? [])
                }
            }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// Creates an error with a status of 400 or above, and one sentence that the client may read. It can also list the
    /// parts of the body that are wrong:
    ///
    ///     var wrong: [HTTPError.Part] = []
    ///     if input.name.isEmpty { wrong.append(.init("/name", "A name is needed.")) }
    ///     if !wrong.isEmpty { throw HTTPError(.unprocessableContent, parts: wrong) }
    public init(
        _ status: HTTPResponse.Status, _ message: String? = nil, parts: [Part] = [], headers: Headers = [:]
    ) {
        self.status = status
        sentence = message.map { Sentence($0) }
        self.headers = headers
        self.parts = parts
    }

    /// Creates an error with a sentence that contains values, such as numbers or names:
    /// `HTTPError(.conflict, Sentence("All {count} nests are taken.", ["count": nests.count]))`.
    public init(_ status: HTTPResponse.Status, _ sentence: Sentence, headers: Headers = [:]) {
        self.init(status, headers: headers)
        self.sentence = sentence
    }

    /// An error about one part of the body.
    public init(_ status: HTTPResponse.Status, at pointer: String, _ message: String) {
        self.init(status, message)
        parts = [Part(pointer, message)]
    }

    /// Creates an error about parts of the body: a pointer to each, and what is wrong with it. A part may occur twice.
    ///
    ///     throw HTTPError(.unprocessableContent, at: ["/email": "This is taken.", "/name": "A name is needed."])
    public init(
        _ status: HTTPResponse.Status,
        _ message: String? = nil,
        at parts: KeyValuePairs<String, String>,
        headers: Headers = [:]
    ) {
        self.init(status, message, headers: headers)
        self.parts = parts.map { Part($0.key, $0.value) }
    }
}

extension HTTPError: CustomStringConvertible {
    /// The status and the message, as shown in a log.
    public var description: String {
        message.map { "\(status): \($0)" } ?? "\(status)"
    }
}

extension Response {
    /// The response to an error that nothing has made a page for: its status and its header fields, without a body.
    init(_ error: any Error) {
        let known = HTTPError(converting: error)
        self.init(known?.status ?? .internalServerError, headers: known?.headers ?? [:])
    }
}

/// An error of another layer, such as a database's, that knows what it means to a client.
///
/// This keeps such a layer and the controllers independent: ``ErrorPages`` logs the error's own text and responds with
/// ``httpError``. A status from 400 to 499 means a mistake of the client, which is not logged as an error. If a form
/// shows the error instead, it is logged only if it is a fault of the server.
public protocol ResponseError: Error {
    /// The error that the client gets; nil for a fault of the application, which is a 500.
    var httpError: HTTPError? { get }
}

/// The key of what is told of a server's error whose response a handler makes itself: error pages log it.
package enum ErrorLog: RequestKey { package typealias Value = @Sendable (any Error, Request) -> Void }

extension HTTPError {
    /// Creates the error that a client gets for any error: the same one, or that of a ``ResponseError``. Nil for any
    /// other error, which becomes a 500.
    public init?(converting error: any Error) {
        if let known = error as? HTTPError {
            self = known
        } else if let known = (error as? any ResponseError)?.httpError {
            self = known
        } else {
            return nil
        }
    }
}

/// An error of any layer, and what a filter adds to it.
struct ErrorWithFields: ResponseError, CustomStringConvertible {
    let error: any Error
    /// The error that the client gets, with the filter's fields; nil if it is not meant for clients.
    let httpError: HTTPError?
    /// Another failure on the way, for the log.
    var remark: String?

    /// The error's own text, for the log.
    var description: String { remark.map { "\(error); \($0)" } ?? "\(error)" }
}

extension Error {
    /// The error with changed fields of its response, if it says what the client may know; otherwise itself.
    func changingHeaders(_ change: (inout Headers) -> Void) -> any Error {
        guard var known = HTTPError(converting: self) else { return self }
        change(&known.headers)
        return self is HTTPError ? known : ErrorWithFields(error: self, httpError: known)
    }

    /// The error as it was thrown, without what filters have added to it.
    package var withoutFields: any Error { (self as? ErrorWithFields)?.error.withoutFields ?? self }

    /// Whether this is how a cancelled task ends: nobody is left to respond to. A `CancellationError` of a task that is
    /// not cancelled, such as that of a child task which the handler itself has cancelled, is an error like any other.
    var endsCancelledTask: Bool { self is CancellationError && Task.isCancelled }
}

extension HTTPError {
    /// The error for a client that does not fit into a ``ClientBudget``.
    static func tooManyOpen(_ things: String) -> HTTPError {
        HTTPError(.serviceUnavailable, "Too many \(things) are open.", headers: [.retryAfter: "10"])
    }

    /// The error for a client that does not fit into a ``MemoryBudget``.
    static var memoryIsFull: HTTPError {
        HTTPError(.serviceUnavailable, "Too much data is being sent here at the moment.", headers: [.retryAfter: "1"])
    }

    /// The error for a file that is not opened: the remaining file descriptors are kept for other purposes.
    package static var tooManyFiles: HTTPError {
        HTTPError(.serviceUnavailable, "Too many files are open here at the moment.", headers: [.retryAfter: "1"])
    }
}

extension MemoryLease {
    /// Takes more, if there is room.
    /// - Throws: ``HTTPError`` with 503 and `Retry-After`.
    package func grow(by more: Int) throws(HTTPError) {
        guard hasGrown(by: more) else { throw .memoryIsFull }
    }
}

extension HTTPError {
    /// The error where something may have been changed, or not. It has no `Retry-After`, since to repeat the change
    /// might make it twice.
    package static var outcomeUnknown: HTTPError {
        HTTPError(.serviceUnavailable, "This may have been done, or not. Look before you try again.")
    }
}
