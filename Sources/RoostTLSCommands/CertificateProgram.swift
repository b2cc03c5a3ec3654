import Roost
public import RoostCommands
public import RoostTLS

/// A program that may order its own certificate (`TLS=auto`). Its command `certificates` is one of
/// `SiteProgram.commands`:
///
///     static let commands: [any ParsableCommand.Type] = [CertificatesCommand<Program>.self]
public protocol CertificateProgram: SiteProgram {
    /// Runs the body of a command with the program's certificates, whose storage can be used meanwhile.
    /// - Throws: `StartError` for settings without `TLS=auto`; any error of `body`.
    static func withCertificates(_ body: (AutomaticCertificates) async throws -> Void) async throws
}

extension CertificateProgram {
    /// Runs a body with the certificates in the folder that environment variables name.
    /// - Throws: `StartError` for settings without `TLS=auto`; any error of `body`.
    public static func withCertificates(_ body: (AutomaticCertificates) async throws -> Void) async throws {
        try await body(AutomaticCertificates(environment: ProcessEnvironment.variables))
    }
}
