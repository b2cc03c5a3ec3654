import PatternCore
import PatternScreens

/// The coordinator of the detail, a child: it tells its parent when it has finished.
final class UserDetailCoordinator: Coordinator {
    let navigation: Navigation
    weak let parent: (any Coordinator)?
    private let finishHandler: () -> Void

    init(_ navigation: Navigation, parent: any Coordinator, finishHandler: @escaping () -> Void) {
        self.navigation = navigation
        self.parent = parent
        self.finishHandler = finishHandler
    }

    func start() -> UserDetailViewController {
        let viewModel = UserDetailViewModel(repository: ProfileRepository())
        viewModel.onDismiss = { [weak self] in self?.dismiss() }
        return navigation.show(UserDetailViewController(viewModel: viewModel, coordinators: lineage))
    }

    private func dismiss() {
        trace()
        finishHandler()
    }
}
