/// The patterns of the gallery, by the name that they have in URLs.
package enum Pattern: String, CaseIterable, Sendable {
    case mvc
    case mvp
    case mvpR = "mvp-r"
    case mvvm
    case mvvmC = "mvvm-c"
    case viper

    /// Its name, such as `MVVM-C`.
    package var name: String { rawValue.uppercased() }

    /// The folder of its sources in `Sources/Patterns`, such as `MVVMC`.
    package var folder: String { name.filter { $0 != "-" } }

    /// The path of its chapter, below which its screens are.
    package var path: String { "/patterns/" + rawValue }
}
