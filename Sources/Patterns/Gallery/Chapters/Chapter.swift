import PatternCore

/// One pattern in the gallery. Its words are in `Templates/patterns/chapters/`, its diagrams beside its
/// sources.
struct Chapter: Sendable {
    let pattern: Pattern
    /// The files that a request reaches first.
    let entry: [Source]
    let features: [Feature]

    /// The feature that the others can be compared with.
    var login: Feature? { features.first { $0.name == "Login" } }

    /// The pattern's roles alone, as SVG: `MVP/MVP.svg`.
    var diagram: String {
        SourceFile.all.first { $0.path == "\(pattern.folder)/\(pattern.folder).svg" }?.text ?? ""
    }

    static let all = Pattern.allCases.map(of)

    static func of(_ pattern: Pattern) -> Chapter {
        switch pattern {
        case .mvc: mvc
        case .mvp: mvp
        case .mvpR: mvpR
        case .mvvm: mvvm
        case .mvvmC: mvvmC
        case .viper: viper
        }
    }

    /// The types that the login of every pattern uses, with their folders.
    static let shared = [("AuthServicing", "Core"), ("AuthService", "Core"), ("ViewController", "Screens")]
        .compactMap { Source(.shared, $0.0, in: $0.1) }

    private init(_ pattern: Pattern, entry: [String], _ features: [Feature]) {
        self.pattern = pattern
        self.entry = entry.compactMap { Source(.entry, $0, in: pattern.folder) }
        self.features = features
    }

    private static let mvc = Chapter(
        .mvc, entry: ["MVCScene"],
        [
            Feature(.mvc, "Login", "Login", [.controller: ["LoginController"]]),
            Feature(.mvc, "Label", "Label and detail", [.controller: ["LabelController", "DetailController"]]),
        ])

    private static let mvp = Chapter(
        .mvp, entry: ["MVPScene"],
        [
            Feature(
                .mvp, "Login", "Login",
                [
                    .protocols: ["LoginView"], .presenter: ["LoginPresenter"], .view: ["LoginViewController"],
                    .protocols: ["HomeView"], .presenter: ["HomePresenter"], .view: ["HomeViewController"],
                ]),
            Feature(
                .mvp, "Counter", "Counter",
                [
                    .protocols: ["CounterView"], .presenter: ["CounterPresenter"], .view: ["CounterViewController"],
                    .model: ["CounterModel"],
                ]),
        ])

    private static let mvpR = Chapter(
        .mvpR, entry: ["MVPRScene"],
        [
            Feature(
                .mvpR, "Label", "Label and detail",
                [
                    .protocols: ["LabelProtocols"], .view: ["LabelViewController"], .presenter: ["LabelPresenter"],
                    .router: ["LabelRouter"], .view: ["DetailViewController"], .presenter: ["DetailPresenter"],
                ])
        ])

    private static let mvvm = Chapter(
        .mvvm, entry: ["MVVMScene", "LiveLogins"],
        [
            Feature(
                .mvvm, "Login", "Login",
                [
                    .viewModel: ["LoginState", "LoginViewModel"], .view: ["LoginView"],
                    .viewModel: ["HomeViewModel"], .view: ["HomeView"],
                ])
        ])

    private static let mvvmC = Chapter(
        .mvvmC, entry: ["MVVMCScene"],
        [
            Feature(
                .mvvmC, "Login", "Login",
                [
                    .coordinator: ["AppCoordinator", "LoginCoordinator", "Coordinator"],
                    .view: ["LoginViewController"], .viewModel: ["LoginViewModel"], .view: ["HomeViewController"],
                    .viewModel: ["HomeViewModel"],
                ]),
            Feature(
                .mvvmC, "User", "User, detail and next",
                [
                    .coordinator: ["UserCoordinator"], .protocols: ["UserCoordinatorDelegate"],
                    .view: ["UserViewController"], .viewModel: ["UserViewModel"],
                    .coordinator: ["UserDetailCoordinator"], .view: ["UserDetailViewController"],
                    .viewModel: ["UserDetailViewModel"], .model: ["ProfileRepository", "Profile"],
                ]),
        ])

    private static let viper = Chapter(
        .viper, entry: ["VIPERScene"],
        [
            Feature(
                .viper, "Login", "Login",
                [
                    .protocols: ["LoginProtocols"], .view: ["LoginViewController"], .presenter: ["LoginPresenter"],
                    .interactor: ["LoginInteractor"], .router: ["LoginRouter"], .view: ["HomeViewController"],
                ]),
            Feature(
                .viper, "Items", "Items",
                [
                    .protocols: ["CountProtocols"], .view: ["CountViewController"], .presenter: ["CountPresenter"],
                    .interactor: ["CountInteractor"], .model: ["CountItem", "CountDataManager"],
                    .router: ["CountRouter"], .protocols: ["DetailProtocols"], .view: ["DetailViewController"],
                    .presenter: ["DetailPresenter"], .interactor: ["DetailInteractor"], .router: ["DetailRouter"],
                ]),
        ])
}
