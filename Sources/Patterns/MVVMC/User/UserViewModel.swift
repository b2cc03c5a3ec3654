import PatternCore

/// The view model of the user's screen.
final class UserViewModel {
    var updateTextLabel: ((String) -> Void)?
    private let repository: ProfileRepository
    private weak let coordinator: (any UserCoordinatorDelegate)?

    init(repository: ProfileRepository, coordinator: any UserCoordinatorDelegate) {
        self.repository = repository
        self.coordinator = coordinator
    }

    func loadUser() {
        trace()
        updateTextLabel?(repository.load().name)
    }

    func showDetail() {
        trace()
        coordinator?.goToDetail()
    }

    func pushNext() {
        trace()
        coordinator?.pushNext()
    }
}
