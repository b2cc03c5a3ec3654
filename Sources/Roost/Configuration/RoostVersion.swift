/// The version of Roost, as semantic versioning counts it (semver.org). `CHANGELOG.md` says what may change.
public enum RoostVersion {
    /// The version of these sources.
    public static let current = "0.1.0"
}
