import Logging
import Roost
import RoostAuth
import RoostSQL

/// Says at start how to add an account, where there is none and nobody can sign in.
struct AccountReminder: Service {
    let accounts: any AccountStore
    let logger: Logger

    func start() async throws {
        do {
            guard try await accounts.isEmpty() else { return }
            logger.warning("There are no accounts, so nobody can sign in: add one with App accounts add EMAIL.")
        } catch let error as DatabaseError {
            logger.warning("Cannot tell whether there are accounts: \(error)")
        }
    }

    func stop() async {}
}
