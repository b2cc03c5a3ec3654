internal import CPostgres
import RoostSQL

extension PipelineLane {
    /// Deals with the result of a step.
    /// - Parameter aborted: Gets the reads that have not been run.
    func finish(
        _ step: PipelineSteps.Step, _ result: borrowing PostgresResult, _ aborted: inout [PipelinedRead]
    ) {
        let isGood = [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(result.status)
        let isAborted = result.status == PGRES_PIPELINE_ABORTED
        switch step {
        case .read(let read, let prepared):
            if isGood {
                take(result, for: read, prepared)
            } else if isAborted, preparation == nil {
                aborted.append(read)
            } else {
                pipeline.setApart(read.text, for: ReadPipeline.errorPause)
                fail(read, preparation ?? DatabaseError(result))
                preparation = nil
            }
        case .prepare(let prepared):
            guard !isGood else { break }
            connection.statements.remove(prepared)
            if !isAborted { preparation = DatabaseError(result) }
        case .protection:
            guard !isGood else { break }
            isClosing = true
            if let error = preparation ?? (isAborted ? nil : DatabaseError(result)) { protectionFailed(error) }
            preparation = nil
        case .deallocate:
            guard !isGood else { break }
            // Whether the server still has the statement does not matter: its name is not used again.
            isClosing = true
            connection.isCacheInDoubt = true
        case .limit:
            if !isGood { connection.statementTimeout = nil }
        case .sync: break
        }
    }

    private func take(
        _ result: borrowing PostgresResult, for read: PipelinedRead, _ prepared: StatementCache.Entry
    ) {
        let size = PQresultMemorySize(result.handle)
        if size > ReadPipeline.largeResult { pipeline.setApart(read.text, for: ReadPipeline.slowPause) }
        if size > connection.configuration.maximumResultSize { return read.fail(connection.tooLarge) }
        read.take(result, connection.columns(of: result, prepared))
    }

    private func fail(_ read: PipelinedRead, _ error: DatabaseError) {
        switch error {
        case _ where error.isStalePlan:
            // The other statements may be stale as well.
            isClosing = true
            connection.isCacheInDoubt = true
            read.goAlone()
        // It was cancelled because it held up others, or writes, which the shared transaction may not.
        case .timeout where wasCancelled, .readOnly:
            pipeline.setApart(read.text, for: ReadPipeline.slowPause)
            read.goAlone()
        default: read.fail(error)
        }
    }

    /// A transaction could not be made one that only reads, so nothing has been run in it.
    private func protectionFailed(_ error: DatabaseError) {
        guard case .statement(let code, _) = error else { return }
        if code == "26000" { connection.isCacheInDoubt = true } else { pipeline.shareNothing() }
    }
}
