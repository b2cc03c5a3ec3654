internal import CNghttp2
internal import Roost

/// HTTP/2 (RFC 9113) on one loop: speaks for the connections whose clients begin with it.
final class HTTP2: ProtocolUpgrade {
    let callbacks: OpaquePointer
    /// The options of connections from a trusted proxy, and of all others.
    private let proxyOptions, options: OpaquePointer
    /// The head that a session of this loop sends at present.
    let fields = FieldPairs()
    /// An object for a head that is received, when no session has it.
    @exclusivity(unchecked) private var spareHead: FieldwiseHead?

    /// The most requests that may be under way on a connection.
    static let maximumStreams = 100
    /// The number of bytes of a request's body that a client may send before they are read.
    static let streamWindow: Int32 = 256 * 1024
    /// The number of bytes of all bodies that may be on their way; what has come is not counted here.
    static let connectionWindow: Int32 = 1024 * 1024

    init() {
        var callbacks: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        guard let callbacks else { preconditionFailure("There is no memory at the start.") }
        self.callbacks = callbacks
        options = Self.makeOptions()
        proxyOptions = Self.makeOptions()
        // As many resets as `Patience` takes from a proxy without a response.
        nghttp2_option_set_stream_reset_rate_limit(proxyOptions, 20_000, 4000)
        HTTP2Session.setCallbacks(callbacks)
    }

    deinit {
        nghttp2_session_callbacks_del(callbacks)
        nghttp2_option_del(options)
        nghttp2_option_del(proxyOptions)
    }

    private static func makeOptions() -> OpaquePointer {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        guard let options else { preconditionFailure("There is no memory at the start.") }
        nghttp2_option_set_no_auto_window_update(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        return options
    }

    /// The options of a connection: of all but proxies, nghttp2 takes 1000 resets at once and 33 a second, however many
    /// responses stand between them (CVE-2023-44487).
    func options(for connection: Connection) -> OpaquePointer { connection.isProxied ? proxyOptions : options }

    /// An object for a head that begins: only few connections need one at a time.
    func takeHead(_ limits: HeadLimits) -> FieldwiseHead { spareHead.take() ?? FieldwiseHead(limits: limits) }

    /// Takes it back.
    func giveBack(_ head: FieldwiseHead) { spareHead = head }

    func begin(on connection: Connection) {
        guard let session = HTTP2Session(connection, self) else { return connection.close() }
        connection.session = session
        session.begin()
    }
}
