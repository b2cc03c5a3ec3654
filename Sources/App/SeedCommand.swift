import Roost
import RoostCommands

/// `seed`: adds users, for trying the site with a long list.
struct SeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seed", abstract: "Add users with made-up names, for trying the site.")

    @Option(help: "The number of users, from 1 to 10,000.") var users = 100
    @Flag(help: "Add them in production, too.") var production = false

    func validate() throws {
        guard (1...10_000).contains(users) else { throw ValidationError("--users must be from 1 to 10,000.") }
    }

    func run() async throws {
        guard try production || Settings().environment == .development else {
            throw StartError.configuration("This is production: seed --production adds made-up users here, too.")
        }
        try await App.withDatabase { database in
            let list = SQLUserRepository(database: database)
            for number in 0..<users { _ = try await list.add(Self.name(number)) }
        }
        print("Added \(users) \(users == 1 ? "user" : "users").")
    }

    private static let first = ["Ada", "Björn", "Chloé", "Dmitri", "Emre", "Fatima", "Grace", "Hiro", "Ida", "João"]
    private static let last = ["Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Rowan"]

    /// A name that no other number has: `Ada Ash`, and from the hundredth on `Ada Ash 2`.
    static func name(_ number: Int) -> String {
        let name = "\(first[number % 10]) \(last[number / 10 % 10])"
        return number < 100 ? name : "\(name) \(number / 100 + 1)"
    }
}
