-- Who asks again while such a job runs is not lost: a second one waits behind it (docs/guides/jobs.md, 'while-waiting').
UPDATE jobs.queue SET policy = 'key_strict_fifo'
 WHERE name IN ('fetch-message-files', 'fetch-large-message-file', 'push-profile', 'show-read', 'push-test');
--> statement-breakpoint
UPDATE jobs.job SET policy = 'key_strict_fifo'
 WHERE name IN ('fetch-message-files', 'fetch-large-message-file', 'push-profile', 'show-read', 'push-test')
   AND state IN ('created', 'retry', 'active', 'failed');
