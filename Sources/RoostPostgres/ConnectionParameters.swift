internal import CPostgres
import Roost

/// The libpq parameters that a URL contains.
struct ConnectionParameters: Sendable, Equatable {
    /// Each parameter that the URL sets, and those that this module adds.
    private(set) var values: [String: String]

    /// Reads a URL (`postgres://user:password@host:port/database?sslmode=verify-full`) or libpq's own notation.
    ///
    /// Parameters that are left out come from the environment (`PGHOST`, …) and libpq's defaults, as with `psql`.
    /// - Throws: `StartError`, which shows nothing of the text, since it may contain a password.
    init(_ text: String, applicationName: String) throws(StartError) {
        guard !text.utf8.contains(0), let options = PQconninfoParse(text, nil) else {
            throw StartError.configuration(
                "DATABASE_URL is not a PostgreSQL URL: write postgres://user:password@host:5432/database, with "
                    + "characters other than letters, digits, - . _ ~ in the password as %XX, and after ? only "
                    + "libpq's parameters, such as sslmode."
            )
        }
        defer { PQconninfoFree(options) }
        values = Self.values(options)
        // A broken connection must be noticed even while this side has nothing to send.
        let additions = [
            "fallback_application_name": applicationName, "keepalives_idle": "30", "keepalives_interval": "10",
            "keepalives_count": "3", "tcp_user_timeout": "30000",
        ]
        values.merge(additions) { given, _ in given }
        values["client_encoding"] = "UTF8"
    }

    /// A name for the server in messages, without user and password.
    var name: String {
        "\(values["host"] ?? values["hostaddr"] ?? "this machine")\(values["port"].map { ":" + $0 } ?? "")"
    }

    /// The time limit for one attempt according to the URL (`connect_timeout`, in seconds); nil if it sets none.
    var connectTimeout: Duration? {
        values["connect_timeout"].flatMap { Int32($0) }.flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// One set of parameters for each address of the URL's hosts, in their order. It reads files and resolves names, so
    /// it blocks.
    ///
    /// libpq could try the hosts by itself, but would not give up on a host that does not respond at all.
    func attempts(
        resolve: (String) -> [String] = { (try? SocketAddress.lookUp($0))?.map(\.host) ?? [] }
    ) -> [ConnectionParameters] {
        let places = places(resolve)
        // The state of a server is known only after asking it, so the preference takes two rounds.
        guard values["target_session_attrs"] == "prefer-standby" else { return places }
        return places.map { $0.with(["target_session_attrs": "standby"]) }
            + places.map { $0.with(["target_session_attrs": "any"]) }
    }

    private func places(_ resolve: (String) -> [String]) -> [ConnectionParameters] {
        // A service file may name hosts that only libpq knows.
        guard values["service"] == nil else { return [self] }
        let known = values.merging(Self.defaults) { given, _ in given }
        let addresses = known["hostaddr"].map(Self.list)
        let hosts = known["host"].map(Self.list)
        let ports = known["port"].map(Self.list) ?? [""]
        guard let count = addresses?.count ?? hosts?.count, hosts?.count ?? count == count,
            ports.count == 1 || ports.count == count
        else { return [self] }
        return (0..<count).flatMap { index -> [ConnectionParameters] in
            let port = ["port": ports.count == 1 ? ports[0] : ports[index]]
            let host = hosts.map { ["host": $0[index]] } ?? [:]
            let place = with(host).with(port)
            if let address = addresses?[index], !address.isEmpty { return [place.with(["hostaddr": address])] }
            guard let name = hosts?[index], !name.isEmpty, !name.hasPrefix("/"), !name.hasPrefix("@") else {
                return [place.with(["hostaddr": ""])]
            }
            // Besides the address, the name is kept, so that it can be compared with the certificate.
            let found = resolve(name)
            return found.isEmpty ? [place] : found.map { place.with(["hostaddr": $0]) }
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private func with(_ others: [String: String]) -> ConnectionParameters {
        var copy = self
        copy.values.merge(others) { $1 }
        return copy
    }

    /// The environment's values for parameters that the URL leaves out.
    private static var defaults: [String: String] {
        guard let options = PQconndefaults() else { return [:] }
        defer { PQconninfoFree(options) }
        return values(options).filter { ["host", "hostaddr", "port"].contains($0.key) }
    }

    /// The values of libpq's own list of parameters, without those that have none.
    static func values(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }
}
