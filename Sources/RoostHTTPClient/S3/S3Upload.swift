import HTTPTypes
import Roost

/// One object on its way to a bucket: in one request, or in parts that become the object at the end.
///
/// S3 compares each part with its SHA-256, which is signed; so what was damaged on the way is refused.
struct S3Upload {
    private let bucket: S3Bucket
    private let key: String
    private let contentType: String
    private let largestPart: Int

    /// - Parameter largestPart: The most bytes of a part, at least ``smallestPart``.
    init(_ bucket: S3Bucket, _ key: String, _ contentType: String, largestPart: Int = .max) {
        self.bucket = bucket
        self.key = key
        self.contentType = contentType
        self.largestPart = largestPart
    }

    /// The fewest bytes that S3 takes as a part, but for the last.
    static let smallestPart = 5 << 20

    /// The most bytes of a part that its client is waited for: a quarter of what all clients may have in memory, so
    /// that one upload fits, and a second one beside it.
    static func largestPart(in memory: MemoryBudget) -> Int { max(smallestPart, memory.limit / 4) }

    /// Sends an object.
    /// - Parameter next: Returns the next bytes, as many as asked for; fewer at the end.
    func send(_ next: (Int) async throws -> [UInt8]) async throws {
        let first = partSize(0)
        var part = try await next(first)
        guard part.count == first else { return try await sendWhole(part) }
        let id = try await begin()
        do {
            var tags: [String] = []
            while !part.isEmpty {
                tags.append(try await send(part, tags.count + 1, of: id))
                // It is let go of before the next one comes.
                part = []
                part = try await next(partSize(tags.count))
            }
            try await finish(id, tags)
        } catch {
            // Also in a cancelled task. What is left is for the bucket's own rules.
            _ = try? await toTheEnd { try await bucket.send(bucket.signed(.delete, key, [("uploadId", id)]), for: key) }
            throw error
        }
    }

    private func sendWhole(_ bytes: [UInt8]) async throws {
        let digest = try await Self.digest(bytes)
        // S3 keeps this checksum with the object.
        let fields = [
            ("content-type", contentType), ("x-amz-checksum-sha256", Base64.standard.text(digest)),
        ]
        let request = try bucket.signed(.put, key, [], fields, bytes, hash: Hexadecimal.text(digest))
        _ = try await bucket.send(request, for: key)
    }

    private func begin() async throws -> String {
        let request = try bucket.signed(.post, key, [("uploads", "")], [("content-type", contentType)])
        let response = try await bucket.send(request, for: key)
        guard let id = S3Document(try response.body.bytes[...]).text("UploadId"), (1...1024).contains(id.utf8.count)
        else { throw S3Error(response, bucket.place(key)) }
        return id
    }

    /// The size of a part: it doubles after each 1,000, up to 256 MiB, which is what may be held in memory. The 10,000
    /// parts that S3 allows hold 1.4 TiB then.
    static func size(ofPart index: Int) -> Int { S3Bucket.partSize << min(index / 1000, 5) }

    private func partSize(_ index: Int) -> Int { min(Self.size(ofPart: index), largestPart) }

    /// Sends one part, and returns its tag.
    private func send(_ part: [UInt8], _ number: Int, of id: String) async throws -> String {
        let query = [("partNumber", "\(number)"), ("uploadId", id)]
        let hash = Hexadecimal.text(try await Self.digest(part))
        let response = try await bucket.send(bucket.signed(.put, key, query, [], part, hash: hash), for: key)
        guard let tag = response.headers[.eTag] else { throw S3Error(response, bucket.place(key)) }
        return tag
    }

    private func finish(_ id: String, _ tags: [String]) async throws {
        let parts = tags.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(S3Document.escaped(tag))</ETag></Part>"
        }
        let body = Array("<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
        var tried = 0
        while true {
            tried += 1
            let request = try bucket.signed(
                .post, key, [("uploadId", id)], [("content-type", "application/xml")], body,
                hash: SHA256.hexadecimal(of: body))
            let response = try await bucket.send(request, for: key)
            // S3 answers 200 before it knows whether it can put the parts together.
            if S3Document(try response.body.bytes[...]).text("ETag") != nil { return }
            let error = S3Error(response, bucket.place(key))
            guard let pause = bucket.pause(after: tried, request, error) else { throw error }
            try await EventLoop.pause(for: pause)
        }
    }

    private static func digest(_ bytes: [UInt8]) async throws -> [UInt8] {
        if bytes.count < 1 << 16 { return SHA256.hash(of: bytes) }
        return try await offload { SHA256.hash(of: bytes) }
    }
}

/// The bytes of a stream, cut anew. Each is moved once, into the memory of its part, and a large piece that is cut is
/// not moved as a whole.
struct S3Parts {
    /// The beginning of the next part.
    private var part: [UInt8] = []
    /// The rest of the latest piece, behind that.
    private var rest: ArraySlice<UInt8> = []

    /// The number of bytes that are there.
    var count: Int { part.count + rest.count }

    /// Adds a piece.
    /// - Parameter size: The number of bytes that the next part may have, so that its memory need not grow.
    mutating func add(_ piece: [UInt8], toPartOf size: Int = 0) {
        if !rest.isEmpty {
            if part.isEmpty { part.reserveCapacity(size) }
            part += rest
        }
        rest = piece[...]
    }

    /// Takes so many bytes, or what is there.
    mutating func next(_ size: Int) -> [UInt8] {
        let last = rest.prefix(max(0, size - part.count))
        rest = rest.dropFirst(last.count)
        guard !part.isEmpty else { return Array(last) }
        defer { part = [] }
        part += last
        return part
    }
}
