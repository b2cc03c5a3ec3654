import PatternCore
import PatternScreens
import Roost

/// The coordinator of the user's flow. The next screen is part of its flow; the detail may become a flow of its own, so
/// that has a coordinator of its own, a child of this one.
final class UserCoordinator: Coordinator, UserCoordinatorDelegate {
    static let first = Path("/patterns/mvvm-c/user")
    static let user = Path("/patterns/mvvm-c/user/{screen}", Int.self)
    static let detail = Path("/patterns/mvvm-c/user/{screen}/detail", Int.self)

    let navigation: Navigation
    weak let parent: (any Coordinator)?
    /// The number of screens on top of each other, including this one.
    private let screen: Int
    private var detailCoordinator: UserDetailCoordinator?

    init(_ navigation: Navigation, parent: any Coordinator, screen: Int) {
        self.navigation = navigation
        self.parent = parent
        self.screen = screen
    }

    func start() -> UserViewController {
        let viewModel = UserViewModel(repository: ProfileRepository(), coordinator: self)
        return navigation.show(UserViewController(viewModel: viewModel, screen: screen, coordinators: lineage))
    }

    func startDetail() -> UserDetailViewController {
        let coordinator = UserDetailCoordinator(
            navigation, parent: self, finishHandler: { [weak self] in self?.detailFinished() })
        detailCoordinator = coordinator
        return coordinator.start()
    }

    func goToDetail() {
        trace()
        navigation.go(to: Self.detail, screen)
    }

    func pushNext() {
        trace()
        navigation.go(to: Self.user, screen &+ 1)
    }

    private func detailFinished() {
        trace()
        navigation.go(to: Self.user, screen)
    }
}
