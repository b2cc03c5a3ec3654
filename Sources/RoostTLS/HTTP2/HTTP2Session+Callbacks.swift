internal import CNghttp2
internal import Roost

// What nghttp2 calls while it reads and writes. Nothing here may read or write by itself.

extension HTTP2Session {
    static func setCallbacks(_ callbacks: OpaquePointer) {
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks) { _, header, me in
            guard let header = header?.pointee else { return 0 }
            HTTP2Session.of(me)?.patience.receive(header)
            return 0
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            HTTP2Session.of(me)?.headBegins(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) { _, frame, name, nameSize, value, size, _, me in
            guard let session = HTTP2Session.of(me), let head = session.head else { return 0 }
            head.add(
                UnsafeBufferPointer(start: name, count: nameSize), UnsafeBufferPointer(start: value, count: size))
            guard head.isOutOfProportion else { return 0 }
            session.patience.fault()
            return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
            // The stream is reset (RFC 9113 §8.1.1); by default the field would be dropped.
            NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            HTTP2Session.of(me)?.received(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { session, _, stream, bytes, size, me in
            let session = HTTP2Session.of(me)
            session?.received(UnsafeBufferPointer(start: bytes, count: size), on: stream)
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, _, _, me in
            HTTP2Session.of(me)?.patience.fault()
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, me in
            guard let frame else { return 0 }
            HTTP2Session.of(me)?.sent(frame.pointee)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, _, me in
            HTTP2Session.of(me)?.ended(stream)
            return 0
        }
    }

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> HTTP2Session? {
        pointer.map { Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    private func headBegins(_ frame: nghttp2_frame) {
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
        exchanges[frame.hd.stream_id] = StreamExchange(frame.hd.stream_id, on: connection, by: self)
    }

    private func received(_ frame: nghttp2_frame) {
        let type = UInt32(frame.hd.type)
        guard type == NGHTTP2_HEADERS.rawValue || type == NGHTTP2_DATA.rawValue else { return }
        if type == NGHTTP2_HEADERS.rawValue { headBegan = nil }
        defer { if type == NGHTTP2_HEADERS.rawValue { giveHeadBack() } }
        guard let exchange = exchanges[frame.hd.stream_id], !exchange.isClosed else { return }
        if frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 { exchange.requestEnds() }
        // Otherwise these are trailers, which are dropped.
        guard type == NGHTTP2_HEADERS.rawValue, frame.headers.cat == NGHTTP2_HCAT_REQUEST else { return }
        if let head, !exchange.receive(head) { patience.fault() }
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
        if let exchange = exchanges[stream], !exchange.isClosed { exchange.receive(bytes) }
    }

    private func sent(_ frame: nghttp2_frame) {
        let isLast = frame.hd.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(frame.hd.type) {
        case NGHTTP2_RST_STREAM.rawValue:
            headIsOver(on: frame.hd.stream_id)
            let isOwn = [NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_CANCEL]
                .contains { $0.rawValue == frame.rst_stream.error_code }
            if !isOwn { patience.fault() }
        case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
            patience.sent(frame.hd.length, isLast: isLast)
            if isLast, let exchange = exchanges[frame.hd.stream_id] {
                exchange.hasWholeResponse = true
            }
        default: break
        }
    }

    /// Nothing more comes of a head whose stream has been reset: it is not waited for.
    private func headIsOver(on stream: Int32) {
        if stream == headStream { headBegan = nil }
    }

    private func ended(_ stream: Int32) {
        headIsOver(on: stream)
        guard let exchange = exchanges[stream] else { return }
        exchange.close()
        remove(exchange)
    }

    /// Copies a part of a response's body into a frame.
    static let readBody: nghttp2_data_source_read_callback = { _, _, room, size, flags, source, me in
        guard let exchange = source?.pointee.ptr.map({ Unmanaged<StreamExchange>.fromOpaque($0).takeUnretainedValue() })
        else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        switch exchange.read(into: UnsafeMutableBufferPointer(start: room, count: size)) {
        case .bytes(let count, let isEnd):
            if isEnd { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            if count > 0, count < size { HTTP2Session.of(me)?.patience.sentAll() }
            return count
        case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
    }
}
