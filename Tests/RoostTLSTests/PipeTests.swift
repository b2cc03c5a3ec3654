import Glibc
import RoostTesting
import Testing

@testable import Roost
@testable import RoostTLS

/// Paths of certificates that are no files.
@Suite("Certificates that are pipes", .timeLimit(.minutes(5)))
struct PipeTests {
    @Test(arguments: [nil, "/dev/zero"])
    func `one that nobody writes to, and a device, are refused at once`(device: String?) throws {
        let folder = try CertificateFolder()
        let files = folder.write("a", try TestCertificate("localhost"))
        let path = device ?? folder.path + "/file"
        if device == nil { try #require(mkfifo(path, 0o600) == 0) }
        let error = #expect(throws: StartError.self) {
            _ = try CertificatePair(CertificateFiles(certificate: path, key: files.key))
        }
        #expect(error?.exitCode == EX_CONFIG)
        #expect(error?.description.hasPrefix("TLS_CERTIFICATE is \(path), which is neither a file nor a pipe ") == true)
    }

    /// As in `TLS_KEY=<(…)`.
    @Test func `one that a program writes to is read to its end`() async throws {
        let folder = try CertificateFolder()
        let certificate = try TestCertificate("localhost")
        let files = folder.write("a", certificate)
        let path = folder.path + "/pipe"
        try #require(mkfifo(path, 0o600) == 0)
        // What has been written stays in the pipe while somebody could read it.
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        let writer = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(reader) }
        async let isRead = offload {
            _ = try CertificatePair(CertificateFiles(certificate: files.certificate, key: path))
            return true
        }
        #expect(write(writer, certificate.key, certificate.key.count) == certificate.key.count)
        close(writer)
        #expect(try await isRead)
    }

    @Test func `in the place of one in use, the old one stays in use`() async throws {
        let site = try await TLSSite()
        let path = site.folder.files("a").certificate
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        site.tls.reloadIfChanged()
        let start = "error The old certificates stay in use. TLS_CERTIFICATE is \(path), which is neither a file "
        #expect(site.log.allWithLevels.count { $0.hasPrefix(start) } == 1)
        #expect(try await site.connect().isFor("localhost"))
    }
}
