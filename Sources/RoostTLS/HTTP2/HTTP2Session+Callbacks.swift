internal import CNghttp2
internal import Roost

// What nghttp2 calls while it reads and writes. Nothing here may read or write by itself.

extension HTTP2Session {
    static func setCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, me in
            guard let header else { return 0 }
            return HTTP2Session.with(me) { $0.patience.receive(header.pointee) }
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            return HTTP2Session.with(me) { $0.headBegins(frame.pointee) }
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, _, name, nameSize, value, size, _, me in
            var isKept = true
            _ = HTTP2Session.with(me) { session in
                isKept = session.received(
                    UnsafeBufferPointer(start: name, count: nameSize), UnsafeBufferPointer(start: value, count: size))
            }
            return isKept ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            // The stream is reset (RFC 9113 §8.1.1); by default the field would be dropped.
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            return HTTP2Session.with(me) { $0.received(frame.pointee) }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, bytes, size, me in
            HTTP2Session.with(me) { $0.received(UnsafeBufferPointer(start: bytes, count: size), on: stream) }
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, _, me in
            HTTP2Session.with(me) { $0.patience.fault() }
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            return HTTP2Session.with(me) { $0.sent(frame.pointee) }
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks) { _, frame, code, me in
            guard let frame, code == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue else { return 0 }
            return HTTP2Session.with(me) { $0.notSent(frame.pointee) }
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, me in
            HTTP2Session.with(me) { $0.ended(stream) }
        }
        nghttp2_session_callbacks_set_send_data_callback(callbacks, writeBody)
    }

    /// Calls a function with the session that a callback is for; returns 0, for nghttp2. The session lives as long as
    /// nghttp2's part of it, so it is not retained each time.
    @inline(__always)
    private static func with(_ pointer: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Void) -> Int32 {
        if let pointer { Unmanaged<HTTP2Session>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body) }
        return 0
    }

    /// A field of the head has come. False when there is no place for so many.
    private func received(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let head else { return true }
        head.add(name, value)
        guard head.isOutOfProportion else { return true }
        connection.noteRefusal(.requestHeaderFieldsTooLarge, "The header fields are out of all proportion.")
        patience.fault()
        return false
    }

    private func headBegins(_ frame: nghttp2_frame) {
        if isOver { return }
        let head = head ?? http2.takeHead(connection.group.limits.parser)
        head.begin()
        self.head = head
        (headBegan, headStream) = (connection.group.now, frame.hd.stream_id)
        guard frame.hd.type == NGHTTP2_HEADERS.rawValue, frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return }
        // Streams that have ended, but whose handlers run on, count as well.
        guard exchanges.count < HTTP2.maximumStreams else {
            headBegan = nil
            return submitReset(frame.hd.stream_id, NGHTTP2_REFUSED_STREAM)
        }
        requests += 1
        let hasBody = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) == 0
        let exchange = StreamExchange(frame.hd.stream_id, hasBody: hasBody, on: connection, by: self)
        if !add(exchange) { headBegan = nil }
    }

    private func received(_ frame: nghttp2_frame) {
        let type = UInt32(frame.hd.type)
        guard type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_DATA.rawValue else { return }
        if type == NGHTTP2_HEADERS.rawValue { headBegan = nil }
        defer { if type == NGHTTP2_HEADERS.rawValue { giveHeadBack() } }
        guard let exchange = exchange(on: frame.hd.stream_id), !exchange.isClosed else { return }
        if frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { exchange.requestEnds() }
        // Otherwise these are trailers, which are dropped.
        guard type == NGHTTP2_HEADERS.rawValue, frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return }
        if let head, !exchange.receive(head, among: exchanges.count) { patience.fault() }
        ready.append(exchange)
    }

    /// The object for heads is another connection's now: an idle one has none.
    private func giveHeadBack() {
        if let head { http2.giveBack(head) }
        head = nil
    }

    /// Data that has come is out of the connection's window at once, so that a handler that does not read its body
    /// keeps no other one from being sent. The stream's own window opens when the handler reads.
    private func received(_ bytes: UnsafeBufferPointer<UInt8>, on stream: Int32) {
        nghttp2_session_consume_connection(handle, bytes.count)
        if let exchange = exchange(on: stream), !exchange.isClosed { exchange.receive(bytes, among: exchanges.count) }
    }

    private func sent(_ frame: nghttp2_frame) {
        let isLast = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(frame.hd.type) {
        case NGHTTP2_RST_STREAM.rawValue:
            headIsOver(on: frame.hd.stream_id)
            let code = frame.rst_stream.error_code
            // Whoever stops an upload that was refused has kept to the rules, but for the length that it announced.
            if Self.isOwn(code) || exchange(on: frame.hd.stream_id)?.hasWholeResponse ?? false { break }
            patience.fault()
            if code != NGHTTP2_REFUSED_STREAM.rawValue { noteMalformed() }
        case NGHTTP2_GOAWAY.rawValue:
            let code = frame.goaway.error_code
            if !Self.isOwn(code), code != NGHTTP2_ENHANCE_YOUR_CALM.rawValue { noteMalformed() }
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            patience.sent(frame.hd.length, isLast: isLast)
            if isLast { exchange(on: frame.hd.stream_id)?.responseIsSent() }
        default: break
        }
    }

    /// Whether a code says something about the server, and nothing about what the client has sent.
    private static func isOwn(_ code: UInt32) -> Bool {
        [NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL].contains { $0.rawValue == code }
    }

    /// Counts and logs that the client has not kept to the protocol; when patience is over, that is counted instead.
    func noteMalformed() {
        if !patience.isOver { connection.noteRefusal(.badRequest, "Its HTTP/2 is malformed (RFC 9113 §5.4).") }
    }

    /// nghttp2 sends no head that would take more than 64 KiB. The client learns that there is no response.
    private func notSent(_ frame: nghttp2_frame) {
        guard frame.hd.type == NGHTTP2_HEADERS.rawValue, let exchange = exchange(on: frame.hd.stream_id),
            !exchange.isClosed
        else { return }
        connection.group.logger.error("A response could not be sent over HTTP/2: its header fields are too large.")
        submitReset(frame.hd.stream_id, NGHTTP2_INTERNAL_ERROR)
    }

    /// Nothing more comes of a head whose stream has been reset: it is not waited for.
    private func headIsOver(on stream: Int32) {
        if stream == headStream { headBegan = nil }
    }

    private func ended(_ stream: Int32) {
        headIsOver(on: stream)
        guard let exchange = exchange(on: stream) else { return }
        nghttp2_session_set_stream_user_data(handle, stream, nil)
        exchange.close()
        remove(exchange)
    }

    /// Says how much of a response's body the next frame has. It is written without a copy in between (`writeBody`).
    static let readBody: nghttp2_data_source_read_callback = { _, _, _, size, flags, source, me in
        var isOver = true
        _ = HTTP2Session.with(me) { isOver = $0.isOver }
        guard !isOver, let pointer = source?.pointee.ptr else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        let unsent = Unmanaged<StreamExchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.unsent(upTo: size) }
        guard case .bytes(let count, let isEnd) = unsent else { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        flags?.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue | (isEnd ? NGHTTP2_DATA_FLAG_EOF.rawValue : 0)
        if count > 0, count < size { _ = HTTP2Session.with(me) { $0.patience.sentAll() } }
        return count
    }

    /// Writes a frame with a part of a response's body to the connection's output.
    private static let writeBody: nghttp2_send_data_callback = { _, _, header, size, source, me in
        guard let pointer = source?.pointee.ptr else { return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue }
        var result = NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        _ = HTTP2Session.with(me) { session in
            guard !session.isOver else { return }
            // It is asked again when others have had their turn.
            guard session.pumped < turnSize else { return result = NGHTTP2_ERR_WOULDBLOCK.rawValue }
            let isWritten = session.connection.append(
                UnsafeBufferPointer(start: header, count: frameHeaderSize), followedBy: size
            ) { room in
                Unmanaged<StreamExchange>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.take(into: room) }
            }
            guard isWritten else { return }
            session.pumped += frameHeaderSize + size
            result = 0
        }
        return result
    }

    /// The number of bytes before a frame's content (RFC 9113 §4.1).
    private static let frameHeaderSize = 9
}
