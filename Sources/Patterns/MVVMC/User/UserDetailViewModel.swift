import PatternCore

/// The view model of the detail.
final class UserDetailViewModel {
    var updateTextLabel: ((String) -> Void)?
    var onDismiss: (() -> Void)?
    private let repository: ProfileRepository

    init(repository: ProfileRepository) {
        self.repository = repository
    }

    func loadUser() {
        trace()
        updateTextLabel?("Detail - \(repository.load().name)")
    }

    func dismiss() {
        trace()
        onDismiss?()
    }
}
