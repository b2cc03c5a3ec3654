import Processes

/// The same as that of ``Processes``, for all files of this module.
func turn() async throws { try await Processes.turn() }
