internal import COpenSSL
import Glibc
import Roost

/// A certificate with its chain and its private key, read from texts in PEM.
///
/// The key is given to OpenSSL and nowhere else; the memory that it was read into is wiped.
final class CertificatePair {
    let certificate: OpaquePointer
    let chain: [OpaquePointer]
    let key: OpaquePointer

    /// Reads two files.
    /// - Throws: ``StartError/configuration(_:)`` with a sentence that says what to do.
    convenience init(_ files: CertificateFiles) throws(StartError) {
        var key = try PEMFile.read(files.key, "TLS_KEY")
        defer { key.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        try self.init(certificate: try PEMFile.read(files.certificate, "TLS_CERTIFICATE"), key: key, files)
    }

    /// - Parameter files: The names of the files, for the sentence of an error.
    init(certificate text: [UInt8], key keyText: [UInt8], _ files: CertificateFiles) throws(StartError) {
        var certificates = try PEMFile.certificates(text, "TLS_CERTIFICATE", files.certificate)
        let certificate = certificates.removeFirst()
        func fail(_ sentence: String) -> StartError {
            for one in [certificate] + certificates { X509_free(one) }
            return .configuration(sentence)
        }
        guard let key = PEMFile.privateKey(keyText) else {
            let mistake =
                keyText.firstRange(of: Array("ENCRYPTED".utf8)) != nil
                ? "is encrypted; `openssl pkey -in FILE -out OTHER` writes it without a password."
                : "has no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----."
            throw fail("TLS_KEY: \(files.key) \(mistake)")
        }
        guard X509_check_private_key(certificate, key) == 1 else {
            let isOfAnother = certificates.contains { X509_check_private_key($0, key) == 1 }
            ERR_clear_error()
            EVP_PKEY_free(key)
            guard !isOfAnother else {
                throw fail(
                    "TLS_CERTIFICATE: in \(files.certificate), the certificate of \(files.key) must be the first, and "
                        + "its chain behind it.")
            }
            throw fail(
                "TLS_KEY: \(files.key) is not the key of \(files.certificate): give the two that belong together.")
        }
        self.certificate = certificate
        chain = certificates
        self.key = key
    }

    deinit {
        X509_free(certificate)
        for certificate in chain { X509_free(certificate) }
        EVP_PKEY_free(key)
    }
}

/// The files of a certificate, followed by the rest of its chain, and of its private key.
public struct CertificateFiles: Sendable, Equatable {
    /// The path of the certificate and its chain, in PEM.
    public var certificate: String
    /// The path of the private key, in PEM, without a password.
    public var key: String

    /// Names two files.
    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// Reads files in PEM (RFC 7468).
enum PEMFile {
    /// More cannot be meant.
    private static let largest = 1 << 20

    /// The longest wait for a program that writes to a pipe, in milliseconds.
    private static let patience: Int32 = 5000

    /// Reads a whole file.
    /// - Parameter setting: The setting that names it.
    static func read(_ path: String, _ setting: String) throws(StartError) -> [UInt8] {
        guard let bytes = bytes(of: path) else { throw unreadable(path, setting) }
        return bytes
    }

    /// The bytes of a file, or of a pipe that a program writes to, as in `TLS_KEY=<(…)`; nil if it cannot be read, for
    /// the reason in `errno`: ENODATA for anything else, which might block for ever.
    static func bytes(of path: String, _ flags: Int32 = 0) -> [UInt8]? {
        // The open of a pipe would wait for somebody who writes to it.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0 else { return nil }
        let kind = facts.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFIFO || kind == S_IFDIR else {
            errno = ENODATA
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: largest)
        defer { bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }
        var count = 0
        while count < bytes.count {
            let read = bytes[count...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if read < 0, errno == EAGAIN {
                var entry = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
                if poll(&entry, 1, patience) > 0 || errno == EINTR { continue }
                errno = ENODATA
            }
            guard read >= 0 else { return nil }
            if read == 0 { break }
            count += read
        }
        guard count > 0 || kind != S_IFIFO else {
            errno = ENODATA
            return nil
        }
        return Array(bytes[..<count])
    }

    private static func unreadable(_ path: String, _ setting: String) -> StartError {
        let code = errno
        guard code != ENODATA else {
            return .configuration(
                "\(setting) is \(path), which is neither a file nor a pipe that a program writes to; name a file.")
        }
        let advice =
            code == EACCES
            ? "let the program's user (\(getuid())) read it, as with `chown` or `setfacl -m u:\(getuid()):r`"
            : "name a file that is there"
        return .configuration("\(setting) is \(path): \(String(cString: strerror(code))); \(advice).")
    }

    /// The certificates of a text, at least one. The caller frees them.
    static func certificates(
        _ text: [UInt8], _ setting: String, _ path: String
    ) throws(StartError) -> [OpaquePointer] {
        var certificates: [OpaquePointer] = []
        // Another library may have left an error on this thread.
        ERR_clear_error()
        let failure = withBIO(text) { bio in
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) { certificates.append(certificate) }
            return OpenSSLFailure.take()
        }
        guard failure.isEndOfPEM, !certificates.isEmpty else {
            for certificate in certificates { X509_free(certificate) }
            throw .configuration(
                "\(setting): \(path) has no certificate in PEM, or a damaged one; each begins with "
                    + "-----BEGIN CERTIFICATE-----.")
        }
        return certificates
    }

    /// The private key of a text; nil if it has none, or an encrypted one. The caller frees it.
    static func privateKey(_ text: [UInt8]) -> OpaquePointer? {
        defer { ERR_clear_error() }
        // Without this function OpenSSL would ask at the terminal for a password.
        return withBIO(text) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    }

    static func withBIO<Result>(_ text: [UInt8], _ body: (OpaquePointer?) -> Result) -> Result {
        text.withUnsafeBytes { text in
            let bio = BIO_new_mem_buf(text.baseAddress, Int32(text.count))
            defer { BIO_free(bio) }
            return body(bio)
        }
    }
}
