// libpq: PostgreSQL's own client library.
#include <libpq-fe.h>

// The header's names of an error's fields are characters, which Swift does not take over from a macro.
enum {
    field_sqlstate = PG_DIAG_SQLSTATE,
    field_message = PG_DIAG_MESSAGE_PRIMARY,
    field_detail = PG_DIAG_MESSAGE_DETAIL,
    field_routine = PG_DIAG_SOURCE_FUNCTION,
    field_position = PG_DIAG_STATEMENT_POSITION,
    field_table = PG_DIAG_TABLE_NAME,
    field_column = PG_DIAG_COLUMN_NAME,
    field_constraint = PG_DIAG_CONSTRAINT_NAME,
};
