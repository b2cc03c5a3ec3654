import Roost

/// `health`: for a container's health check, which has no curl.
struct HealthCommand<Site: SiteProgram>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "health",
            abstract: "Ask the running site on this machine whether it is ready.",
            discussion: """
                It asks for /health/ready on HOST and PORT, and exits with 0 if the site is ready. It exits with 1 if \
                the site starts or drains, if a check fails, or if nothing responds within five seconds.
                """
        )
    }

    @Flag(help: "Ask only whether it is alive (/health/live): true also while a check fails.") var live = false
    @Flag(help: "Print what the site says, as JSON.") var json = false

    func run() throws {
        let server = try ServerConfiguration(environment: ProcessEnvironment.variables)
        let path = live ? "/health/live" : "/health/ready"
        let response = HealthProbe.ask(path, host: server.host, port: server.port)
        if json {
            print(response?.text ?? #"{"status":"unreachable"}"#)
        } else {
            let state = live ? "alive" : "ready"
            let details = response.map { ": \($0.text)" } ?? ": nothing responds there."
            print(response?.isHealthy == true ? "The site is \(state)." : "The site is not \(state)\(details)")
        }
        guard response?.isHealthy == true else { throw ExitCode(1) }
    }
}
