internal import CCurl
import Glibc
import HTTPTypes
import Roost

/// One request under way in libcurl; used on its loop's thread only.
final class Transfer {
    weak var pool: TransferPool?
    private(set) var easy: UnsafeMutableRawPointer?
    /// The time at which it ends; libcurl's own limit would keep a connection of HTTP/2. For a body that is read as it
    /// comes, once its head has come, the end of the pause that the server may make; nil while it waits for us.
    private(set) var deadline: ContinuousClock.Instant?
    /// Whether the caller has the head, and reads the body as it comes.
    private var isHandedOver = false
    /// Whether the source of the request's body, or the reader of the response's, has something to do first.
    private var (sourceIsAwaited, readerIsAwaited) = (false, false)
    let exchange: TransferExchange
    private var allowed = AllowedAddresses.all
    /// An address that may not be connected to, and whether there has been one that may.
    private var refused: IPAddress?
    private var hasAllowed = false
    private var hasBegun = false
    @exclusivity(unchecked) private var head = ResponseHead()
    private var fields: UnsafeMutablePointer<curl_slist>?
    /// A small body, as libcurl reads it.
    private var bytes: UnsafeMutableBufferPointer<UInt8>?
    /// The number of bytes of a large body in memory that libcurl has read.
    var readCount = 0
    private var message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ exchange: TransferExchange) {
        self.exchange = exchange
        sourceIsAwaited = exchange.upload != nil
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        release()
        message.deallocate()
    }

    /// Lets go of what libcurl read from, once its handle has gone.
    func release() {
        easy = nil
        curl_slist_free_all(fields)
        fields = nil
        bytes?.deallocate()
        bytes = nil
    }

    /// Copies a body for libcurl to read.
    func copy(_ body: UnsafeBufferPointer<UInt8>) -> UnsafeMutablePointer<UInt8>? {
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, body.count))
        _ = copy.update(fromContentsOf: body)
        bytes = copy
        return copy.baseAddress
    }

    // MARK: Preparing

    /// Tells a handle what is the same for all requests.
    private static func prepareAll(_ easy: UnsafeMutableRawPointer, _ settings: TransferSettings) {
        easy_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        easy_set_text(easy, CURLOPT_USERAGENT, "Roost")
        easy_set_text(easy, CURLOPT_ACCEPT_ENCODING, "gzip, br")
        easy_set_number(easy, CURLOPT_NOSIGNAL, 1)
        // Without this, a transfer that ends while its name is being resolved would hold up the loop until that is
        // done.
        easy_set_number(easy, CURLOPT_QUICK_EXIT, 1)
        // The head of a proxy's answer to `CONNECT` is none of the response.
        easy_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if let path = settings.certificateAuthorities { easy_set_text(easy, CURLOPT_CAINFO, path) }
        // Without this, libcurl would take the environment's, and the address that is looked at would be the proxy's.
        easy_set_text(easy, CURLOPT_PROXY, settings.proxy ?? "")
        easy_set_text(easy, CURLOPT_NOPROXY, "")
        setCallbacks(easy)
        setCheck(easy)
    }

    /// Tells a handle everything about the request.
    /// - Throws: ``HTTPClient/Failure`` for a request that cannot be sent.
    func prepare(_ easy: UnsafeMutableRawPointer, _ settings: TransferSettings) throws {
        let request = exchange.request
        try checkURL(request)
        Self.prepareAll(easy, settings)
        self.easy = easy
        allowed = settings.allowed
        deadline = .now + exchange.time
        easy_set_text(easy, CURLOPT_URL, request.sentURL)
        setProtocol(easy)
        // The first of several addresses has half of it.
        easy_set_number(easy, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(min(settings.connectTimeout, exchange.time)))
        easy_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
        let me = Unmanaged.passUnretained(self).toOpaque()
        easy_set_pointer(easy, CURLOPT_HEADERDATA, me)
        easy_set_pointer(easy, CURLOPT_WRITEDATA, me)
        easy_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
        try setBody(easy, request)
        head.isDecoded = !isAsSent && exchange.request.method != .head
        if isAsSent { easy_set_number(easy, CURLOPT_HTTP_CONTENT_DECODING, 0) }
        if isSentOnce { sendOnce(easy, settings) }
        try setFields(easy, request)
    }

    /// If a connection that was kept closes instead of a response, libcurl sends the request again on a new one. Nobody
    /// knows whether the server has done the first: where a second one may do more, that is the caller's to decide.
    private func sendOnce(_ easy: UnsafeMutableRawPointer, _ settings: TransferSettings) {
        easy_set_number(easy, CURLOPT_MAXAGE_CONN, settings.idleSeconds)
        easy_set_beginning(easy) { me, _, _, _, _ in
            guard let me, Transfer.from(me).mayBegin() else { return CURL_PREREQFUNC_ABORT }
            return CURL_PREREQFUNC_OK
        }
        easy_set_pointer(easy, CURLOPT_PREREQDATA, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Whether the caller wants the bytes as the server sends them. A streamed body is never decompressed: libcurl
    /// would keep what a few bytes become while their reader pauses.
    private var isAsSent: Bool { exchange.streams || exchange.request.headers[.acceptEncoding] == "identity" }

    /// Whether nobody has said that the request may be done twice.
    private var isSentOnce: Bool { !exchange.request.repeatable.contains(exchange.request.method) }

    private func mayBegin() -> Bool {
        defer { hasBegun = true }
        return !hasBegun
    }

    /// Whether it may have HTTP/2, where TLS can negotiate it: then calls at the same time wait for one connection,
    /// which they share. A body that is read as it comes has a connection of its own: on a shared one, libcurl would
    /// keep what its reader does not want yet. So has a request that is sent once: libcurl does not tell whether a
    /// server that ends a shared one has refused it or may have done it.
    var isShared: Bool {
        let isSecure = exchange.request.url.utf8.dropFirst(4).first.map { $0 | 0x20 } == UInt8(ascii: "s")
        return isSecure && !exchange.streams && !isSentOnce
    }

    private func setProtocol(_ easy: UnsafeMutableRawPointer) {
        easy_set_number(easy, CURLOPT_HTTP_VERSION, isShared ? http2_over_tls : http1)
        easy_set_number(easy, CURLOPT_PIPEWAIT, isShared ? 1 : 0)
    }

    private func checkURL(_ request: HTTPClient.Request) throws {
        var url = request.url
        let isAbsolute = url.withUTF8 { bytes in
            guard let start = bytes.baseAddress, bytes.count >= 8 else { return false }
            return strncasecmp(start, "http://", 7) == 0 || strncasecmp(start, "https://", 8) == 0
        }
        guard isAbsolute, url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            let encoded = "has a blank or a control character, maybe in its query: give values by query:, encoded"
            let fault = isAbsolute ? encoded : "is no absolute URL with the scheme http or https"
            throw HTTPClient.Failure(.invalidRequest, request.url, fault)
        }
    }

    private static func setCallbacks(_ easy: UnsafeMutableRawPointer) {
        easy_set_bytes(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, me in
            guard let me, let bytes else { return 0 }
            return Transfer.from(me).receivedLine(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
        }
        easy_set_bytes(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, me in
            guard let me, let bytes else { return 0 }
            return Transfer.from(me).received(UnsafeRawBufferPointer(start: bytes, count: count))
        }
    }

    static func from(_ pointer: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Looks at each address before a socket is made for it.
    private static func setCheck(_ easy: UnsafeMutableRawPointer) {
        easy_set_opensocket(easy) { me, _, address in
            guard let me, let address, Transfer.from(me).mayConnect(to: address) else { return bad_socket }
            return open_socket(address)
        }
    }

    private func mayConnect(to address: UnsafeMutablePointer<curl_sockaddr>) -> Bool {
        let known = withUnsafePointer(to: &address.pointee.addr) { IPAddress(socketAddress: $0) }
        guard let known, allowed.contains(known) else {
            refused = known
            return false
        }
        hasAllowed = true
        return true
    }

    /// Fields that say where the message ends, which is libcurl's to say.
    private static let framing: Set<HTTPField.Name> = [.contentLength, .transferEncoding, .connection, .te, .upgrade]

    private func setFields(_ easy: UnsafeMutableRawPointer, _ request: HTTPClient.Request) throws {
        var lines = request.headers.list.filter { !Self.framing.contains($0.name) }.map { field in
            // libcurl leaves out a field without a value unless it is written so.
            field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
        }
        if exchange.streams, !request.headers.contains(.acceptEncoding) { lines.append("Accept-Encoding: identity") }
        // libcurl takes any body for a form, even an empty one.
        if !request.headers.contains(.contentType) { lines.append("Content-Type:") }
        // A server that is asked first whether it wants a body delays every large one by a round trip or a second.
        if request.body.count != 0 { lines.append("Expect:") }
        for line in lines {
            guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw HTTPClient.Failure(.invalidRequest, request.url, "cannot get a field with a control character")
            }
            guard let longer = curl_slist_append(fields, line) else { throw CurlUnavailable() }
            fields = longer
        }
        easy_set_pointer(easy, CURLOPT_HTTPHEADER, fields)
    }

    private static func milliseconds(_ time: Duration) -> Int { min(max(time.wholeMilliseconds, 0), 2_000_000_000) + 1 }

    // MARK: What libcurl says

    private func receivedLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !head.isComplete else { return head.count(line) }
        guard head.take(line) else { return false }
        guard head.isComplete, let status = head.status else { return true }
        guard exchange.receivedHead(status, head.headers) else { return true }
        limitPauses()
        // libcurl sends nothing more then, but would not end while the source is awaited.
        if status.code >= 300 { exchange.upload?.goOn() }
        return true
    }

    /// A body that is read as it comes may take any time, as long as something comes, or is still being sent.
    private func limitPauses() {
        isHandedOver = true
        goesOn()
    }

    /// Something has come or gone, or is asked for: the server may make a new pause, unless it waits for this program.
    /// - Parameters:
    ///   - isSending: Whether there is more of the request to send; nil for as before.
    ///   - isReceiving: Whether more of the response is wanted; nil for as before.
    func goesOn(sending isSending: Bool? = nil, receiving isReceiving: Bool? = nil) {
        if let isSending { sourceIsAwaited = !isSending }
        if let isReceiving { readerIsAwaited = !isReceiving }
        guard isHandedOver else { return }
        deadline = sourceIsAwaited || readerIsAwaited ? nil : ContinuousClock.now + exchange.pause
    }

    /// The number of bytes taken, or a pause while the reader has enough.
    private func received(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taking = exchange.download.take(bytes)
        goesOn(receiving: taking != .pause)
        return switch taking {
        case .taken: bytes.count
        case .pause: Int(write_pause)
        case .refused: 0
        }
    }

    /// The error of a transfer whose deadline has passed.
    var timedOut: HTTPClient.Failure { .init(.timedOut, exchange.request.url, "did not respond in time") }

    func complete(_ code: CURLcode) {
        end(code == CURLE_OK ? nil : failure(code))
    }

    /// Ends the exchange, with the response if there is no error.
    func end(_ error: (any Error)?) { exchange.end(error) }

    /// The beginnings of libcurl's messages when a connection breaks during the handshake of TLS: then nothing is wrong
    /// with the certificate.
    private static let breaks = ["Recv failure: ", "Send failure: ", "SSL_connect: ", "unexpected eof"]

    private func failure(_ code: CURLcode) -> HTTPClient.Failure {
        let url = exchange.request.url
        let said = String(cString: message)
        let text = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
        if let refused, !hasAllowed, code == CURLE_COULDNT_CONNECT {
            return .init(.addressRefused, url, "has an address that may not be connected to, \(refused)")
        }
        if exchange.download.isTooLarge {
            return .init(.bodyTooLarge, url, "sent more than \(exchange.download.limit) bytes")
        }
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            .init(.unreachable, url, "cannot be reached: \(text)")
        case CURLE_SSL_CONNECT_ERROR where Self.breaks.contains(where: { text.utf8.firstRange(of: $0.utf8) != nil }):
            .init(.connectionLost, url, "broke the connection: \(text)")
        case CURLE_SSL_CONNECT_ERROR where text.utf8.firstRange(of: "wrong version number".utf8) != nil:
            .init(.untrusted, url, "does not speak TLS at this port")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            .init(.untrusted, url, "cannot be trusted: \(text)")
        case CURLE_URL_MALFORMAT where exchange.request.host.utf8.contains(where: { $0 >= 0x80 }):
            .init(.invalidRequest, url, "is no URL: write the letters of its host that are not ASCII as xn--…")
        case CURLE_URL_MALFORMAT: .init(.invalidRequest, url, "is no URL: \(text)")
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND:
            .init(.connectionLost, url, "broke the connection: \(text)")
        case CURLE_ABORTED_BY_CALLBACK:
            .init(.connectionLost, url, "closed the connection before a response, and the request is not sent twice")
        default: .init(.malformed, url, "sent no usable response: \(text)")
        }
    }
}
