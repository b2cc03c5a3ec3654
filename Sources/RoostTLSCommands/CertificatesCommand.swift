import Roost
public import RoostCommands
public import RoostTLS

/// `certificates`
public struct CertificatesCommand<Site: CertificateProgram>: AsyncParsableCommand {
    /// The command's name and its subcommands.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "certificates",
            abstract: "Show the certificate that the site orders itself (TLS=auto), or renew it now.",
            subcommands: [List.self, Renew.self],
            defaultSubcommand: List.self
        )
    }

    /// Creates the command.
    public init() {}

    struct List: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(commandName: "list", abstract: "Show the certificate.")
        }

        @Flag(help: "Print an object with hosts, directory, issuer, begins, expires, renewed and failure.")
        var json = false

        func run() async throws {
            let json = json
            try await Site.withCertificates { certificates in
                let status = try await certificates.status()
                if json { return print(try JSONCoder.printed(status)) }
                for line in status.lines { print(LogText.escaped(line)) }
            }
        }
    }

    struct Renew: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "renew", abstract: "Order a new certificate now, whatever the age of the old one.",
                discussion: """
                    The site must be running: it answers the authority at port 80, and uses the new certificate within \
                    a minute. Authorities give only a few certificates a week for the same names.
                    """)
        }

        func run() async throws {
            try await Site.withCertificates { certificates in
                guard try await certificates.renew() else {
                    print("The site is ordering a certificate at present.")
                    throw ExitCode(1)
                }
                for line in try await certificates.status().lines { print(LogText.escaped(line)) }
            }
        }
    }
}

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
