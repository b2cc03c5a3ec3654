/// What Roost's own metrics mean, for the text that a scrape gets. `docs/operations.md` has the same list.
enum MetricHelp {
    /// By name.
    static let texts = [
        "event_loop_lag_seconds": "How late the loop's latest tick was.",
        "event_streams_open": "Event streams that are open.",
        "http_abandoned_requests_total": "Requests whose clients left before their response began.",
        "http_connections": "Connections by what they do.",
        "http_connections_opened_total": "Connections that have been accepted.",
        "http_request_bytes_total": "Bytes that have come from clients.",
        "http_refused_messages_total": "Messages that were refused before they were requests.",
        "http_request_duration_seconds": "Time from a request's head to its response's.",
        "http_requests_total": "Requests that got a response.",
        "http_response_bytes_total": "Bytes that clients have taken.",
        "log_dropped_lines_total": "Lines of the log that nobody read in time.",
        "memory_buffered_bytes": "Bytes that are kept for clients, of those that MAX_BUFFERED_SIZE limits.",
        "offload_queue_length": "Calls that wait for a thread for blocking work.",
        "process_cpu_seconds_total": "Processor time of all threads.",
        "process_max_fds": "File descriptors that the process may have.",
        "process_open_fds": "File descriptors that are open.",
        "process_resident_memory_bytes": "Memory that the process has.",
        "process_start_time_seconds": "When the process started, since 1970.",
        "process_threads": "Threads of the process.",
        "process_virtual_memory_bytes": "Address space of the process.",
        "rate_limit_refusals_total": "Requests that a rate limit refused.",
        "sql_connections": "Connections to the database by what they do.",
        "sql_connections_max": "The most connections to the database.",
        "sql_statement_duration_seconds": "Time of SQL statements, waiting included.",
        "sql_statements_waiting": "Statements that wait for a connection or a thread.",
        "topic_subscribers": "Those who follow a topic in this process.",
        "websockets_open": "WebSockets that are open.",
    ]
}
