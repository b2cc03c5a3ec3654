import PatternCore
import PatternScreens

/// The view of the detail.
final class UserDetailViewController: ViewController {
    private(set) var page = CardPage(title: "Detail", buttons: [.dismiss])
    private let viewModel: UserDetailViewModel

    init(viewModel: UserDetailViewModel, coordinators: String) {
        self.viewModel = viewModel
        page.coordinators = coordinators
        viewModel.updateTextLabel = { [weak self] text in self?.show(text) }
    }

    func viewDidLoad() {
        viewModel.loadUser()
    }

    func dismissAction() {
        trace()
        viewModel.dismiss()
    }

    private func show(_ text: String) {
        trace()
        page.text = text
    }
}
