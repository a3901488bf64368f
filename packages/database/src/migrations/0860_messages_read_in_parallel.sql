-- What reports call for each message. PostgreSQL takes functions for unsafe unless they say otherwise, and then reads with one process.
ALTER FUNCTION recipient_times PARALLEL SAFE;
ALTER FUNCTION message_times PARALLEL SAFE;
ALTER FUNCTION message_author PARALLEL SAFE;
ALTER FUNCTION message_template PARALLEL SAFE;
ALTER FUNCTION run_template PARALLEL SAFE;
ALTER FUNCTION quarter_of PARALLEL SAFE;
ALTER FUNCTION day_start PARALLEL SAFE;
