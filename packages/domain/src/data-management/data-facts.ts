import { defineFact } from '../events/fact-definition.ts';
import { flag, text, whole } from '../events/fact-values.ts';

const ofWorkspace = {
  version: 1,
  subject: 'workspace',
  forWebhooks: false,
} as const;

export const dataFacts = {
  'data.exported': defineFact({
    ...ofWorkspace,
    values: {},
    audit: { type: 'download', resource: 'settings' },
    live: [],
  }),
  'data.archived': defineFact({
    ...ofWorkspace,
    values: { withSecrets: flag },
    audit: { type: 'create', resource: 'settings' },
    live: [],
  }),
  'data.archive_downloaded': defineFact({
    ...ofWorkspace,
    values: { withSecrets: flag },
    audit: { type: 'download', resource: 'settings' },
    live: [],
  }),
  'data.archive_deleted': defineFact({
    ...ofWorkspace,
    values: {},
    audit: { type: 'delete', resource: 'settings' },
    live: [],
  }),
  'data.archive_read_in': defineFact({
    ...ofWorkspace,
    values: { contacts: whole, messages: whole, campaigns: whole, isBack: flag },
    audit: { type: 'upload', resource: 'settings' },
    live: [
      ...([
        { topic: 'contacts' },
        { topic: 'templates' },
        { topic: 'campaigns' },
        { topic: 'messages' },
      ] as const),
      ...([
        { topic: 'settings' },
        { topic: 'channels' },
        { topic: 'teams' },
        { topic: 'inbox-settings' },
      ] as const),
      ...([{ topic: 'quick-replies' }, { topic: 'notifications' }, { topic: 'users' }] as const),
      { topic: 'rcs' },
    ],
  }),
  'data.imported': defineFact({
    ...ofWorkspace,
    values: { contacts: whole, templates: whole, campaigns: whole },
    audit: { type: 'upload', resource: 'settings' },
    live: [{ topic: 'contacts' }, { topic: 'templates' }, { topic: 'campaigns' }, { topic: 'settings' }],
  }),
  'data.replaced': defineFact({
    ...ofWorkspace,
    values: { contacts: whole, templates: whole, campaigns: whole },
    audit: { type: 'upload', resource: 'settings' },
    live: [
      ...([{ topic: 'contacts' }, { topic: 'templates' }, { topic: 'campaigns' }] as const),
      ...([{ topic: 'messages' }, { topic: 'settings' }, { topic: 'notifications' }] as const),
    ],
  }),
  'data.import_undone': defineFact({
    ...ofWorkspace,
    values: { removed: whole, restored: whole },
    audit: { type: 'delete', resource: 'settings' },
    live: [{ topic: 'contacts' }, { topic: 'templates' }, { topic: 'campaigns' }, { topic: 'settings' }],
  }),
  'data.backup_failed': defineFact({
    ...ofWorkspace,
    values: { code: text },
    audit: null,
    live: [{ topic: 'settings' }],
  }),
  /** A sample was left: whose password everybody knew is gone. */
  'data.started_for_real': defineFact({
    ...ofWorkspace,
    values: {},
    audit: { type: 'update', resource: 'settings' },
    live: [{ topic: 'settings' }],
  }),
  'data.cleared': defineFact({
    ...ofWorkspace,
    values: { contacts: whole },
    audit: { type: 'delete', resource: 'settings' },
    live: [{ topic: 'contacts' }, { topic: 'templates' }, { topic: 'campaigns' }, { topic: 'settings' }],
  }),
};
