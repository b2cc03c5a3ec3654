/// The help texts of Roost's own metrics, for the text that a scrape gets. `docs/operations.md` has the same list.
enum MetricHelp {
    /// By name.
    static let texts = [
        "db_client_operation_duration_seconds": "Time of SQL statements, waiting included.",
        "http_server_request_duration_seconds": "Time from a request's head to its response's.",
        "process_cpu_seconds_total": "Processor time of all threads.",
        "process_max_fds": "File descriptors that the process may have.",
        "process_open_fds": "File descriptors that are open.",
        "process_resident_memory_bytes": "Memory that the process has.",
        "process_start_time_seconds": "When the process started, since 1970.",
        "process_threads": "Threads of the process.",
        "process_virtual_memory_bytes": "Address space of the process.",
        "roost_abandoned_requests_total": "Requests whose clients left before their response began.",
        "roost_compressed_file_cache_hits_total": "How often a file was sent that had been compressed before.",
        "roost_compressed_file_cache_misses_total": "How often a file was compressed, to be sent and kept.",
        "roost_connections": "Connections by what they do.",
        "roost_connections_opened_total": "Connections that have been accepted.",
        "roost_event_loop_lag_seconds": "How late the loop's latest tick was.",
        "roost_event_streams_open": "Event streams that are open.",
        "roost_log_dropped_lines_total": "Lines of the log that could not be written.",
        "roost_memory_buffered_bytes": "Bytes that are kept for clients, of those that MAX_BUFFERED_SIZE limits.",
        "roost_offload_queue_length": "Calls that wait for a thread for blocking work.",
        "roost_rate_limit_refusals_total": "Requests that a rate limit refused.",
        "roost_received_bytes_total": "Bytes that have come from clients.",
        "roost_refused_messages_total": "Messages that were refused before they were requests.",
        "roost_sent_bytes_total": "Bytes that clients have taken.",
        "roost_sql_connections": "Connections to the database by what they do.",
        "roost_sql_connections_max": "The most connections to the database.",
        "roost_sql_statements_waiting": "Statements that wait for a connection or a thread.",
        "roost_topic_subscribers": "Those who follow a topic in this process.",
        "roost_websockets_open": "WebSockets that are open.",
    ]
}
