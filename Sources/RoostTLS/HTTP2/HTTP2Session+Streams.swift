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
            if endsStream {
                nghttp2_submit_response(handle, exchange.number, pairs.baseAddress, count, nil)
            } else {
                nghttp2_submit_response(handle, exchange.number, pairs.baseAddress, count, &provider)
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

    /// Lets go of an exchange whose stream has ended, unless a task still serves it: then it still counts.
    func remove(_ exchange: StreamExchange) {
        guard !exchange.isBusy else { return }
        exchanges[exchange.number] = nil
        if exchanges.isEmpty { idleSince = connection.group.now }
    }
}
