import Roost
import Testing

@testable import RoostPostgres

@Suite(.timeLimit(.minutes(5))) struct ConnectionParametersTests {
    private func parameters(_ url: String) throws -> ConnectionParameters {
        try ConnectionParameters(url, applicationName: "roost")
    }

    @Test func `a URL is read as libpq reads it`() throws {
        let values = try parameters("postgresql://ada:s%3Acret@db.example:6000/site?sslmode=verify-full").values
        #expect(values["user"] == "ada")
        #expect(values["password"] == "s:cret")
        #expect(values["host"] == "db.example")
        #expect(values["port"] == "6000")
        #expect(values["dbname"] == "site")
        #expect(values["sslmode"] == "verify-full")
        #expect(values["client_encoding"] == "UTF8")
        #expect(values["fallback_application_name"] == "roost")
        #expect(values["tcp_user_timeout"] == "30000")
        #expect(try parameters("postgres://a/b?tcp_user_timeout=1").values["tcp_user_timeout"] == "1")
        #expect(try parameters("postgres://a/b?client_encoding=LATIN1").values["client_encoding"] == "UTF8")
    }

    @Test(arguments: [
        "postgres://ada:%zzsecret@host/x", "postgres://ada:secret@[::1/x", "secret", "postgres://a/b?secret=1",
        "postgres://ada:secret\0@host", "host=x password='secret",
    ])
    func `an invalid URL is a mistake whose sentence shows nothing of it`(url: String) throws {
        let error = #expect(throws: StartError.self) { try parameters(url) }
        #expect(text(error).contains("DATABASE_URL"))
        #expect(!text(error).contains("secret"))
    }

    @Test func `a parameter that libpq does not know is in the sentence, too`() {
        let error = #expect(throws: StartError.self) { try parameters("postgres://a/b?pgbouncer=true") }
        #expect(text(error).contains("after ? only libpq's parameters"))
    }

    @Test func `every address of every host is tried, in their order, and the names stay`() throws {
        let some = try parameters("postgres://one:1,two:2,10.0.0.9:3/db").attempts { name in
            ["one": ["10.0.0.1", "10.0.0.2"], "two": []][name] ?? [name]
        }
        #expect(some.map { $0.values["host"] } == ["one", "one", "two", "10.0.0.9"])
        #expect(some.map { $0.values["hostaddr"] } == ["10.0.0.1", "10.0.0.2", nil, "10.0.0.9"])
        #expect(some.map { $0.values["port"] } == ["1", "1", "2", "3"])
        let given = try parameters("host=a,b hostaddr=1.1.1.1,2.2.2.2 port=7").attempts { _ in ["9.9.9.9"] }
        #expect(given.map { $0.values["hostaddr"] } == ["1.1.1.1", "2.2.2.2"])
        #expect(given.map { $0.values["port"] } == ["7", "7"])
    }

    @Test func `a socket's folder is no name`() throws {
        let attempts = try parameters("postgres:///db?host=/run/postgresql").attempts { _ in ["9.9.9.9"] }
        #expect(attempts.map { $0.values["hostaddr"] } == [""])
        #expect(attempts.map(\.name) == ["/run/postgresql:5432"])
    }

    @Test func `a preference for a standby goes round twice`() throws {
        let url = "postgres://a,b/db?target_session_attrs=prefer-standby"
        let attempts = try parameters(url).attempts { [$0] }
        #expect(attempts.map { $0.values["host"] } == ["a", "b", "a", "b"])
        #expect(attempts.map { $0.values["target_session_attrs"] } == ["standby", "standby", "any", "any"])
    }

    @Test func `the URL's time to connect wins`() throws {
        #expect(try parameters("postgres://a/b?connect_timeout=3").connectTimeout == .seconds(3))
        #expect(try parameters("postgres://a/b?connect_timeout=0").connectTimeout == nil)
        #expect(try parameters("postgres://a/b").connectTimeout == nil)
    }
}
