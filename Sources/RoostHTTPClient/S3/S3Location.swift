public import Roost

/// The place of a bucket, with the credentials for it, as a URL and the environment name them:
///
///     FILES_URL=s3://nests/pictures?endpoint=http://127.0.0.1:9000&region=eu-central-1
///
/// The URL is `s3://BUCKET/PREFIX`; every key begins with the prefix. Options are `region` (otherwise `AWS_REGION`,
/// `AWS_DEFAULT_REGION` or `us-east-1`) and `endpoint`, for another service than Amazon's (otherwise
/// `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL`). The credentials are `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and,
/// if they are temporary, `AWS_SESSION_TOKEN`; or they stand in the URL, percent-encoded: `s3://KEY:SECRET@BUCKET`.
public struct S3Location: Sendable, CustomStringConvertible {
    /// The name of the bucket.
    package let bucket: String
    /// The beginning of all keys: empty, or with a slash at its end.
    package let prefix: String
    let region: String
    /// The scheme and host of each request, and the path before the key.
    let origin: String
    let host: String
    let basePath: String
    let credentials: S3Credentials

    /// The bucket and the prefix, without the credentials.
    public var description: String { "s3://\(bucket)/\(prefix)" }

    /// Reads the text of a URL, and the variables beside it.
    /// - Throws: `StartError`, which shows nothing of the text.
    public init(
        _ text: String, _ variables: [String: String] = ProcessEnvironment.variables
    ) throws(StartError) {
        guard text.hasPrefix("s3://") else { throw Self.mistake("does not begin with s3://") }
        let (address, query) = Self.halves(text.dropFirst("s3://".count), at: "?")
        let (authority, prefix) = Self.halves(address, at: "/")
        let (user, place) = Self.halves(authority, at: "@")
        let bucket = place ?? authority
        guard Self.isBucket(bucket) else { throw Self.mistake("names no bucket") }
        self.bucket = String(bucket)
        let path = Self.decoded(prefix ?? "")
        self.prefix = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
        guard self.prefix.isEmpty || S3Bucket.isKey(self.prefix + "x") else {
            throw Self.mistake("has no usable prefix")
        }
        let options = try Self.options(query ?? "")
        let set = { (name: String) in variables[name].flatMap { $0.isEmpty ? nil : $0 } }
        region = options["region"] ?? set("AWS_REGION") ?? set("AWS_DEFAULT_REGION") ?? "us-east-1"
        guard (1...40).contains(region.utf8.count), region.utf8.allSatisfy(Self.isNameByte) else {
            throw Self.mistake("has no usable region")
        }
        let endpoint = options["endpoint"] ?? set("AWS_ENDPOINT_URL_S3") ?? set("AWS_ENDPOINT_URL")
        (origin, host, basePath) = try Self.address(endpoint, self.bucket, region)
        credentials = try Self.credentials(place == nil ? nil : user, set)
    }

    private static func mistake(_ fault: String) -> StartError {
        .configuration(
            "FILES_URL \(fault); set it to s3://BUCKET/PREFIX?region=REGION, with endpoint=URL for another service "
                + "than Amazon's.")
    }

    /// Without an endpoint the bucket is a part of the host, unless its name cannot be one that Amazon's certificate
    /// has; with one, it is a part of the path, which every service understands.
    private static func address(
        _ endpoint: String?, _ bucket: String, _ region: String
    ) throws(StartError) -> (origin: String, host: String, basePath: String) {
        guard let endpoint else {
            let isLabel = bucket.utf8.allSatisfy { $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
            if !isLabel { return Self.address("https://s3.\(region).amazonaws.com", "/\(bucket)/") }
            return Self.address("https://\(bucket).s3.\(region).amazonaws.com", "/")
        }
        let (scheme, rest) = halves(endpoint[...], at: "://")
        let trimmed = rest.map { $0.hasSuffix("/") ? $0.dropLast() : $0 } ?? ""
        let isHost = trimmed.utf8.allSatisfy { isNameByte($0) || ":[]".utf8.contains($0) }
        guard ["http", "https"].contains(scheme), !trimmed.isEmpty, isHost else {
            throw mistake("has an endpoint that is not http://HOST:PORT or https://HOST:PORT")
        }
        return Self.address("\(scheme)://\(trimmed.lowercased())", "/\(bucket)/")
    }

    /// The host as it is sent, without the scheme's own port.
    private static func address(_ origin: String, _ path: String) -> (origin: String, host: String, basePath: String) {
        let (scheme, host) = halves(origin[...], at: "://")
        let port = scheme == "https" ? ":443" : ":80"
        let name = host ?? ""
        return (origin, String(name.hasSuffix(port) ? name.dropLast(port.count) : name), path)
    }

    private static func credentials(
        _ user: Substring?, _ set: (String) -> String?
    ) throws(StartError) -> S3Credentials {
        if let user {
            let (key, secret) = halves(user, at: ":")
            guard !key.isEmpty, let secret, !secret.isEmpty else { throw mistake("has a key without a secret") }
            return S3Credentials(key: decoded(key), secret: decoded(secret), token: nil)
        }
        guard let key = set("AWS_ACCESS_KEY_ID"), let secret = set("AWS_SECRET_ACCESS_KEY") else {
            throw .configuration(
                "FILES_URL is a bucket of S3, but there are no credentials for it: set AWS_ACCESS_KEY_ID and "
                    + "AWS_SECRET_ACCESS_KEY.")
        }
        return S3Credentials(key: key, secret: secret, token: set("AWS_SESSION_TOKEN"))
    }

    private static func options(_ query: Substring) throws(StartError) -> [String: String] {
        var options: [String: String] = [:]
        for option in query.utf8.split(separator: UInt8(ascii: "&")) {
            let (name, value) = halves(Substring(option), at: "=")
            guard ["region", "endpoint"].contains(name), let value, options[String(name)] == nil else {
                throw mistake("has an option that does not exist")
            }
            options[String(name)] = decoded(value)
        }
        return options
    }

    /// The texts before and after the first mark; nil for the second when there is none.
    private static func halves(_ text: Substring, at mark: String) -> (Substring, Substring?) {
        guard let range = text.utf8.firstRange(of: mark.utf8) else { return (text, nil) }
        return (Substring(text.utf8[..<range.lowerBound]), Substring(text.utf8[range.upperBound...]))
    }

    private static func decoded(_ text: Substring) -> String { PercentEncoding.decodedText(text.utf8) }

    private static func isBucket(_ name: Substring) -> Bool {
        (3...63).contains(name.utf8.count) && name.utf8.allSatisfy(isNameByte) && name.utf8.first != UInt8(ascii: ".")
            && name.firstRange(of: "..") == nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || "-._".utf8.contains(byte)
    }
}

/// The key that signs requests.
struct S3Credentials: Sendable {
    let key: String
    let secret: String
    /// The token of temporary credentials.
    let token: String?
}
