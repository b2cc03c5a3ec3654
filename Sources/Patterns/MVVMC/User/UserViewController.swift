import PatternCore
import PatternScreens

/// The view of the user's screen.
final class UserViewController: ViewController {
    private(set) var page: CardPage
    private let viewModel: UserViewModel

    init(viewModel: UserViewModel, screen: Int, coordinators: String) {
        self.viewModel = viewModel
        page = CardPage(title: "User, screen \(screen)", buttons: [.reload, .detail, .next])
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
    }
}
