/** Tables that a backup leaves out, each with the reason. Everything else is in it, also what is added later. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  sessions: 'who is signed in: after a restore people sign in anew',
  push_browsers: 'browsers that people are told in, for as long as their sessions',
  trusted_devices: 'browsers that need no second step, for as long as their sessions',
  company_attempts: 'sign-ins on their way',
  verifications: 'links of mails that open an account, good for minutes',
  sign_in_failures: 'brakes of minutes',
  presence_streams: 'who is here now',
  live_events: 'what open pages hear; they read anew',
  installation_backups: 'what lies in a place that may be of another installation',
  workspace_archives: 'whole copies of what is in the backup, kept for a week',
  archive_imports: 'whole copies that came to be read in, and those of before, kept for a week',
  media_uploads: 'files of which a part has arrived: they are uploaded again',
};

/** Sealed with the key of one installation: opened on the way into a backup with a passphrase, and left out of every other one. */
export const SEALED = [
  { table: 'channels', key: 'id', column: 'credentials', field: 'secrets' },
  { table: 'flow_secrets', key: 'id', column: 'sealed', field: null },
  { table: 'integrations', key: 'id', column: 'credentials', field: 'secrets' },
  { table: 'two_factor', key: 'user_id', column: 'secret_sealed', field: null },
] as const;

/** Nobody could sign in with a second step whose secret is not there: without a passphrase people set theirs up anew. */
export const LEFT_OUT_WITHOUT_SECRETS: readonly string[] = ['two_factor', 'recovery_codes'];

/** What stands in the place of what is sealed. */
export const INSTEAD: Readonly<Record<string, string>> = {
  'channels.credentials': `jsonb_set(credentials, '{secrets}', (SELECT coalesce(jsonb_object_agg(name, ''), '{}') FROM jsonb_object_keys(credentials -> 'secrets') AS name))`,
  'flow_secrets.sealed': `''`,
  'integrations.credentials': `jsonb_set(credentials, '{secrets}', (SELECT coalesce(jsonb_object_agg(name, ''), '{}') FROM jsonb_object_keys(credentials -> 'secrets') AS name))`,
  'two_factor.secret_sealed': `''`,
};

/** Columns that hold keys of the media store. */
export const STORED_FILES: readonly { table: string; column: string }[] = [
  { table: 'media', column: 'storage_key' },
  { table: 'message_files', column: 'content' },
  { table: 'message_files', column: 'thumbnail' },
];
