internal import CCurl
import Glibc
import Roost
import Synchronization

/// The error of a mail that a server has not accepted.
public struct MailDeliveryError: Error, Sendable, CustomStringConvertible {
    /// Whether another try would fail in the same way: the server has permanently refused the sender, the recipient or
    /// the message (RFC 5321 §4.2.1, 5yz).
    public let isPermanent: Bool
    /// One sentence: the server, and its own words where it has answered.
    public let description: String
}

/// One message on its way to a mail server.
///
/// libcurl waits for the server's last answer without going back to its caller, also in its multi interface, so a
/// delivery takes a thread, not an event loop.
final class SMTPDelivery {
    private let server: SMTPServer
    private let recipient: String
    /// The name with which the program greets the server.
    private let name: String
    private let message: [UInt8]
    private let isCancelled: @Sendable () -> Bool
    private var sent = 0
    /// The time of the last step: when an address was tried, bytes were taken from the message, or the server said
    /// something.
    private var lastStep = ContinuousClock.now
    /// The time in which the next step must come until the message is on its way.
    private var patience = Duration.zero
    /// Whether it has ended because no step came.
    private var isStuck = false
    /// The clock, which tests set.
    var now: () -> ContinuousClock.Instant = { .now }
    /// The last line in which the server has refused something.
    private var refusal = ""
    /// Whether the connection is new, and nobody has signed in on it.
    private var isAnonymous = false

    /// The time in which a server that has the whole message must answer (RFC 5321 §4.5.3.2.6): where it gets less,
    /// one that looks through it for long takes the message again at each try.
    private static let answerTime = Duration.seconds(600)

    /// The time in which a server must have greeted and signed the sender in, which libcurl counts as connecting. It
    /// gives half of it to the first of several addresses: less than the time in which a step must come.
    static let connectTime = Duration.seconds(110)

    /// - Parameter isCancelled: Asked about once a second.
    init(_ delivery: MailDelivery, to server: SMTPServer, isCancelled: @escaping @Sendable () -> Bool) {
        self.server = server
        recipient = delivery.recipient
        name = server.name(of: Self.machine(), for: delivery.mail.from.domain)
        message = Array(MailMessage(delivery.mail).text.utf8)
        self.isCancelled = isCancelled
    }

    private static func machine() -> String {
        var bytes = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        guard gethostname(&bytes, Int(HOST_NAME_MAX)) == 0 else { return "" }
        return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Sends the message, and returns when the server has taken it.
    /// - Parameters:
    ///   - easy: A handle of libcurl, which may have a connection from its last use.
    ///   - time: The longest that nothing may happen until the whole message is on its way.
    /// - Throws: ``MailDeliveryError``; `CancellationError`.
    func perform(
        _ easy: UnsafeMutableRawPointer, from sender: String, trusting authorities: String?, within time: Duration
    ) throws {
        curl_easy_reset(easy)
        (patience, lastStep) = (time, now())
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        let recipients = curl_slist_append(nil, "<\(recipient)>")
        defer {
            text.deallocate()
            curl_slist_free_all(recipients)
        }
        // libcurl takes the path for the name of this side.
        easy_set_text(easy, CURLOPT_URL, "\(server)/\(name)")
        easy_set_text(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        easy_set_text(easy, CURLOPT_PROXY, "")
        easy_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // libcurl's limit for each answer, which is two minutes otherwise.
        easy_set_number(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, Int(Self.answerTime.components.seconds))
        easy_set_number(easy, CURLOPT_CONNECTTIMEOUT, Int(Self.connectTime.components.seconds))
        easy_set_pointer(easy, CURLOPT_ERRORBUFFER, text)
        easy_set_text(easy, CURLOPT_MAIL_FROM, "<\(sender)>")
        easy_set_pointer(easy, CURLOPT_MAIL_RCPT, recipients)
        setSecurity(easy, authorities)
        setCallbacks(easy)
        let code = withExtendedLifetime(self) { curl_easy_perform(easy) }
        guard code != CURLE_OK else {
            // `take` finds it closed: what it refuses later would be taken for good.
            if lacksSignIn { shutdown(easy_active_socket(easy), Int32(SHUT_RDWR)) }
            return
        }
        if isStuck { throw failure(code, "nothing has happened for too long") }
        guard code != CURLE_ABORTED_BY_CALLBACK else { throw CancellationError() }
        throw failure(code, String(cString: text))
    }

    private func setSecurity(_ easy: UnsafeMutableRawPointer, _ authorities: String?) {
        if let authorities { easy_set_text(easy, CURLOPT_CAINFO, authorities) }
        // On this machine there is nobody in between, and a server there seldom has a certificate that can be checked.
        let isOptional = server.isLoopback && !server.isTLS
        easy_set_number(easy, CURLOPT_USE_SSL, isOptional ? tls_if_offered : tls_always)
        if isOptional {
            easy_set_number(easy, CURLOPT_SSL_VERIFYPEER, 0)
            easy_set_number(easy, CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let user = server.user, let password = server.password {
            easy_set_text(easy, CURLOPT_USERNAME, user)
            easy_set_text(easy, CURLOPT_PASSWORD, password)
        }
    }

    private func setCallbacks(_ easy: UnsafeMutableRawPointer) {
        let me = Unmanaged.passUnretained(self).toOpaque()
        easy_set_number(easy, CURLOPT_UPLOAD, 1)
        easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(message.count))
        easy_set_bytes(easy, CURLOPT_READFUNCTION) { bytes, _, count, me in
            guard let me, let bytes else { return Int(read_abort) }
            return SMTPDelivery.from(me).read(UnsafeMutableRawBufferPointer(start: bytes, count: count))
        }
        easy_set_pointer(easy, CURLOPT_READDATA, me)
        easy_set_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, me in
            guard let me, let bytes else { return 0 }
            SMTPDelivery.from(me).said(UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        }
        easy_set_pointer(easy, CURLOPT_HEADERDATA, me)
        easy_set_number(easy, CURLOPT_NOPROGRESS, 0)
        easy_set_progress(easy) { me, _, _, _, _ in
            guard let me, !SMTPDelivery.from(me).isGivenUp() else { return 1 }
            return 0
        }
        easy_set_pointer(easy, CURLOPT_XFERINFODATA, me)
        easy_set_opensocket(easy) { me, _, address in
            guard let me, let address else { return bad_socket }
            // Each of a server's addresses has its time.
            let delivery = SMTPDelivery.from(me)
            delivery.lastStep = delivery.now()
            return open_socket(address)
        }
        easy_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
    }

    /// Whether it is stuck, or has been cancelled before the whole message was on its way: after that the server may
    /// have taken it, and another try would send it twice.
    private func isGivenUp() -> Bool {
        let isOnItsWay = sent == message.count
        isStuck = lastStep.duration(to: now()) >= (isOnItsWay ? Self.answerTime : patience)
        return isCancelled() && !isOnItsWay || isStuck
    }

    private static func from(_ pointer: UnsafeMutableRawPointer) -> SMTPDelivery {
        Unmanaged<SMTPDelivery>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = message[sent..<min(message.count, sent + buffer.count)]
        buffer.copyBytes(from: part)
        (sent, lastStep) = (part.endIndex, now())
        return part.count
    }

    private func said(_ line: UnsafeRawBufferPointer) {
        lastStep = now()
        if line.starts(with: "220".utf8) { isAnonymous = true }
        if line.starts(with: "235".utf8) { isAnonymous = false }
        guard line.first == UInt8(ascii: "4") || line.first == UInt8(ascii: "5") else {
            // The reason of an earlier refusal has been mended, unless this is the answer to `QUIT` (221).
            if !line.starts(with: "221".utf8) { refusal = "" }
            return
        }
        let text = line.prefix(512).prefix { $0 != 0x0D && $0 != 0x0A }
        refusal = LogText.escaped(String(decoding: text, as: UTF8.self))
    }

    /// Whether the program should have signed in: libcurl goes on without that where the server does not offer it.
    private var lacksSignIn: Bool { server.user != nil && isAnonymous }

    private func failure(_ code: CURLcode, _ text: String) -> MailDeliveryError {
        var reason = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        if sent == message.count, !isStuck {
            reason =
                refusal.isEmpty
                ? "it broke the connection before its answer; it may have the mail, whose Message-ID stays the same"
                : "it refused the message"
        }
        // A sign-in or a program that is refused is a matter of settings: mended, the next try succeeds.
        let isAboutMail = code == CURLE_SEND_ERROR || code == CURLE_WEIRD_SERVER_REPLY && sent > 0
        let answer = refusal.isEmpty ? "" : " (it says: \(refusal))"
        let advice = isAboutMail && lacksSignIn ? "; it offers no sign-in (AUTH), so the program has not signed in" : ""
        return MailDeliveryError(
            // 530 asks for a sign-in.
            isPermanent: isAboutMail && refusal.hasPrefix("5") && !refusal.hasPrefix("530") && !lacksSignIn,
            description:
                "\(server) has not taken the mail to \(recipient): \(LogText.escaped(reason))\(answer)\(advice).")
    }
}

/// A server's connections: as many threads that deliver, and handles of libcurl that keep what they have opened.
final class SMTPConnections: Sendable {
    private let pool: BlockingPool
    private let state = Mutex((idle: [Handle](), isEnded: false))

    /// `@unchecked Sendable`: libcurl allows any thread to use a handle, one at a time, and whoever has taken it from
    /// here is the only one.
    private struct Handle: @unchecked Sendable {
        let easy: UnsafeMutableRawPointer
    }

    private static let isReady = global_prepare() == CURLE_OK

    init(_ count: Int) { pool = BlockingPool(maximumThreads: count, maximumQueue: 10_000) }

    /// Lets a thread deliver.
    func run(_ body: @escaping @Sendable (UnsafeMutableRawPointer) throws -> Void) async throws {
        try await pool.run { [self] in
            let handle = try take()
            defer { giveBack(handle) }
            try body(handle.easy)
        }
    }

    private func take() throws -> Handle {
        while let handle = state.withLock({ $0.idle.popLast() }) {
            guard Self.hasInput(handle.easy) else { return handle }
            Self.end(handle)
        }
        guard Self.isReady, let easy = curl_easy_init() else { throw SystemError("curl_easy_init", code: ENOMEM) }
        return Handle(easy: easy)
    }

    /// Whether a server has ended the session meanwhile: nothing else is said unasked. libcurl would take the 421 that
    /// servers send before they close (RFC 5321 §3.8) for the answer to the next command.
    static func hasInput(_ easy: UnsafeMutableRawPointer, within milliseconds: Int32 = 0) -> Bool {
        var entry = pollfd(fd: easy_active_socket(easy), events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private func giveBack(_ handle: Handle) {
        let isKept = state.withLock { state in
            if !state.isEnded { state.idle.append(handle) }
            return !state.isEnded
        }
        if !isKept { Self.end(handle) }
    }

    /// Closes the connections that are idle, and those in use when they no longer are.
    func end() {
        let idle = state.withLock { state in
            defer { state = ([], true) }
            return state.idle
        }
        for handle in idle { Self.end(handle) }
    }

    /// libcurl takes leave of the server, and would wait for minutes for one that does not answer any more.
    private static func end(_ handle: Handle) {
        let socket = easy_active_socket(handle.easy)
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        curl_easy_cleanup(handle.easy)
    }

    deinit {
        end()
        pool.stop()
    }
}
