internal import CNghttp2
internal import Roost

// What the exchanges want of their connection, in nghttp2's words.

extension HTTP2Session: StreamCarrier {
    var fields: FieldPairs { http2.fields }

    func send(endsStream: Bool, on exchange: StreamExchange) {
        withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { pairs in
            var count = 0
            fields.forEach { name, value in
                pairs[count] = nghttp2_nv(
                    name: name.baseAddress, value: value.baseAddress, namelen: name.count, valuelen: value.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
                count += 1
            }
            var provider = nghttp2_data_provider()
            provider.source.ptr = Unmanaged.passUnretained(exchange).toOpaque()
            provider.read_callback = Self.readBody
            _ = withUnsafePointer(to: provider) {
                nghttp2_submit_response(handle, exchange.number, pairs.baseAddress, count, endsStream ? nil : $0)
            }
        }
        pumpSoon()
    }

    func sendContinue(to exchange: StreamExchange) {
        var (name, value) = (Array(":status".utf8), Array("100".utf8))
        name.withUnsafeMutableBufferPointer { name in
            value.withUnsafeMutableBufferPointer { value in
                let pair = nghttp2_nv(
                    name: name.baseAddress, value: value.baseAddress, namelen: name.count, valuelen: value.count,
                    flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
                _ = withUnsafePointer(to: pair) {
                    nghttp2_submit_headers(
                        handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), exchange.number, nil, $0, 1, nil)
                }
            }
        }
        pumpSoon()
    }

    func goOn(_ exchange: StreamExchange) {
        guard !exchange.isClosed else { return }
        nghttp2_session_resume_data(handle, exchange.number)
        pumpSoon()
    }

    func reset(_ exchange: StreamExchange) {
        guard !exchange.isClosed else { return }
        submitReset(exchange.number, NGHTTP2_INTERNAL_ERROR)
        pumpSoon()
    }

    func isOverdue(_ exchange: StreamExchange) {
        patience.stuck()
        reset(exchange)
    }

    func submitReset(_ stream: Int32, _ code: nghttp2_error_code) {
        nghttp2_submit_rst_stream(handle, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    }

    func used(_ count: Int, of exchange: StreamExchange) {
        nghttp2_session_consume_stream(handle, exchange.number, count)
        pumpSoon()
    }

    func isOver(_ exchange: StreamExchange) { remove(exchange) }

    var largeFiles: Int { exchanges.count { $0.hasLargeFile } }

    /// Keeps an exchange, and has nghttp2 tell it for its stream. False when the stream is gone.
    func add(_ exchange: StreamExchange) -> Bool {
        let pointer = Unmanaged.passUnretained(exchange).toOpaque()
        guard nghttp2_session_set_stream_user_data(handle, exchange.number, pointer) == 0 else { return false }
        exchange.setPlace(exchanges.count)
        exchanges.append(exchange)
        return true
    }

    /// The exchange on a stream; nil if it has none, or the session is over: nghttp2, which may still be reading, then
    /// has pointers to exchanges that are gone.
    func exchange(on stream: Int32) -> StreamExchange? {
        if isOver { return nil }
        return nghttp2_session_get_stream_user_data(handle, stream)
            .map { Unmanaged<StreamExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Lets go of an exchange whose stream has ended, unless a task still serves it: then it still counts. The last one
    /// gets its place.
    func remove(_ exchange: StreamExchange) {
        let place = exchange.place
        guard !exchange.isBusy, place < exchanges.count, exchanges[place] === exchange else { return }
        exchanges.swapAt(place, exchanges.count - 1)
        exchanges[place].setPlace(place)
        exchanges.removeLast()
        if exchanges.isEmpty { idleSince = connection.group.now }
    }
}
