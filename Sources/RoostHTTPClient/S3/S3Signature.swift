import FoundationEssentials
import Roost

// Signature Version 4 (AWS, "Authenticating requests"). libcurl 7.88 can sign, but sends no `x-amz-content-sha256`,
// which S3 wants, does not sort the query, and cannot sign a URL for others: one function of ours does all of it.

/// A request as it is signed.
struct S3Signature {
    let method: String
    let host: String
    /// The path, percent-encoded.
    let path: String
    var query: [(String, String)]
    /// The fields to sign beside `host`, their names in lower case.
    var fields: [(String, String)]
    /// The SHA-256 of the body in hexadecimal digits, or ``unsigned``.
    let bodyHash: String

    /// The mark of a body that is not signed.
    static let unsigned = "UNSIGNED-PAYLOAD"
    /// The hash of no body.
    static let emptyHash = SHA256.hexadecimal(of: [])

    /// The fields that make it a signed request at a time, in seconds since 1970.
    func signedFields(_ location: S3Location, at time: Int) -> [(String, String)] {
        var request = self
        let date = Self.date(time)
        request.fields += [("x-amz-content-sha256", bodyHash), ("x-amz-date", date)]
        if let token = location.credentials.token { request.fields.append(("x-amz-security-token", token)) }
        let signature = request.signature(location, date)
        let authorization =
            "AWS4-HMAC-SHA256 Credential=\(location.credentials.key)/\(Self.scope(location, date)),"
            + "SignedHeaders=\(request.signedNames),Signature=\(signature)"
        return request.fields + [("authorization", authorization)]
    }

    /// The query that makes a URL usable by anybody for some seconds.
    func signedQuery(_ location: S3Location, at time: Int, seconds: Int) -> String {
        var request = self
        let date = Self.date(time)
        request.query += [
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            ("X-Amz-Credential", "\(location.credentials.key)/\(Self.scope(location, date))"),
            ("X-Amz-Date", date), ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", request.signedNames),
        ]
        if let token = location.credentials.token { request.query.append(("X-Amz-Security-Token", token)) }
        return "\(request.canonicalQuery)&X-Amz-Signature=\(request.signature(location, date))"
    }

    /// The query with its names and values percent-encoded, sorted by their bytes.
    var canonicalQuery: String {
        query.map { (Array(PercentEncoding.encoded($0).utf8), Array(PercentEncoding.encoded($1).utf8)) }
            .sorted { $0.0 == $1.0 ? $0.1.lexicographicallyPrecedes($1.1) : $0.0.lexicographicallyPrecedes($1.0) }
            .map { String(decoding: $0 + [UInt8(ascii: "=")] + $1, as: UTF8.self) }.joined(separator: "&")
    }

    private var sortedFields: [(String, String)] {
        (fields + [("host", host)]).sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
    }

    private var signedNames: String { sortedFields.map(\.0).joined(separator: ";") }

    private func signature(_ location: S3Location, _ date: String) -> String {
        let lines = sortedFields.map { "\($0):\($1)\n" }.joined()
        let canonical = "\(method)\n\(path)\n\(canonicalQuery)\n\(lines)\n\(signedNames)\n\(bodyHash)"
        let text =
            "AWS4-HMAC-SHA256\n\(date)\n\(Self.scope(location, date))\n\(SHA256.hexadecimal(of: canonical.utf8))"
        var key = Array("AWS4\(location.credentials.secret)".utf8)
        for part in [String(date.prefix(8)), location.region, "s3", "aws4_request", text] {
            key = SHA256.authenticationCode(of: part.utf8, key: key)
        }
        return Hexadecimal.text(key)
    }

    private static func scope(_ location: S3Location, _ date: String) -> String {
        "\(date.prefix(8))/\(location.region)/s3/aws4_request"
    }

    /// A time as `20130524T000000Z`.
    private static func date(_ seconds: Int) -> String {
        let text: String = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        return text.filter { $0 != "-" && $0 != ":" }
    }
}
