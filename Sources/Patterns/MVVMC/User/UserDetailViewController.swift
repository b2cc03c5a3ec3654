import PatternCore
import PatternScreens

/// The view of the detail.
final class UserDetailViewController {
    private let navigation: Navigation
    private let viewModel: UserDetailViewModel
    private var page = CardPage(title: "Detail", buttons: [.dismiss])

    init(_ navigation: Navigation, viewModel: UserDetailViewModel, coordinators: String) {
        self.navigation = navigation
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
        navigation.show("card", page)
    }
}
