internal import CCurl
import Glibc
import HTTPTypes
import Roost

// The body of a request on its way into libcurl: a small one is copied once, with a large one libcurl asks for as many
// bytes as it can send, so that no second one is in memory.

extension Transfer {
    /// The largest body that is copied, in bytes: what libcurl sends together with the head.
    private static let largestCopy = 64 * 1024

    /// Tells a handle what to send, and by which method.
    func setBody(_ easy: UnsafeMutableRawPointer, _ request: HTTPClient.Request) throws {
        switch request.method {
        case .get where request.body.count == 0: easy_set_number(easy, CURLOPT_HTTPGET, 1)
        case .head: easy_set_number(easy, CURLOPT_NOBODY, 1)
        default:
            if request.body.isStream { stream(easy, request.body.count) } else { try send(easy, request) }
            easy_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func send(_ easy: UnsafeMutableRawPointer, _ request: HTTPClient.Request) throws {
        try request.body.withBytes { content in
            if content.isEmpty, ![.post, .put, .patch].contains(request.method) { return }
            guard content.count <= Self.largestCopy else {
                // It begins anew on another connection if the one that was kept has closed.
                easy_set_seek(easy) { me, offset, origin in
                    guard let me, origin == SEEK_SET, Transfer.from(me).seek(Int(offset)) else {
                        return CURL_SEEKFUNC_FAIL
                    }
                    return CURL_SEEKFUNC_OK
                }
                easy_set_pointer(easy, CURLOPT_SEEKDATA, Unmanaged.passUnretained(self).toOpaque())
                return stream(easy, content.count)
            }
            easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(content.count))
            easy_set_pointer(easy, CURLOPT_POSTFIELDS, copy(content))
        }
    }

    private func stream(_ easy: UnsafeMutableRawPointer, _ count: Int?) {
        easy_set_number(easy, CURLOPT_UPLOAD, 1)
        if let count { easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(count)) }
        easy_set_bytes(easy, CURLOPT_READFUNCTION) { bytes, _, count, me in
            guard let me, let bytes else { return Int(read_abort) }
            return Transfer.from(me).read(UnsafeMutableRawBufferPointer(start: bytes, count: count))
        }
        easy_set_pointer(easy, CURLOPT_READDATA, Unmanaged.passUnretained(self).toOpaque())
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let upload = exchange.upload {
            let count = upload.read(buffer, pause: Int(read_pause))
            goesOn(sending: count != Int(read_pause))
            return count
        }
        let count = try? exchange.request.body.withBytes { content in
            let part = UnsafeRawBufferPointer(content)[readCount...].prefix(buffer.count)
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
            return part.count
        }
        guard let count else { return Int(read_abort) }
        readCount += count
        goesOn()
        return count
    }

    private func seek(_ offset: Int) -> Bool {
        guard let count = exchange.request.body.count, (0...count).contains(offset) else { return false }
        readCount = offset
        return true
    }
}
