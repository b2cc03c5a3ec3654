import PatternCore
import PatternScreens

/// The view of the user's screen.
final class UserViewController {
    private let navigation: Navigation
    private let viewModel: UserViewModel
    private var page = CardPage(title: "User", buttons: [.reload, .detail, .next])

    init(_ navigation: Navigation, viewModel: UserViewModel, screen: Int, coordinators: String) {
        self.navigation = navigation
        self.viewModel = viewModel
        page.title = "User, screen \(screen)"
        page.coordinators = coordinators
        viewModel.updateTextLabel = { [weak self] name in self?.show(name) }
    }

    func viewDidLoad() {
        viewModel.loadUser()
    }

    func reloadAction() {
        trace()
        viewModel.loadUser()
    }

    func showDetail() {
        trace()
        viewModel.showDetail()
    }

    func pushNext() {
        trace()
        viewModel.pushNext()
    }

    private func show(_ name: String) {
        trace()
        page.text = name
        navigation.show("card", page)
    }
}
