import { DATA_VERSION } from '@app/domain/data-management/data-import';
import { findGeneralSettings } from '../settings/general-settings.ts';
import { findMessagingSettings } from '../settings/messaging-settings.ts';
import { writePage } from '../platform/operations/write-page.ts';
import type { SteppingKind } from '../platform/operations/step-operation.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';

const ROWS_AT_ONCE = 5_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** Each row as JSON of the file, after a given id. What only means something here, such as ids, is left out. */
const ROWS = {
  customFields: `SELECT c.id, jsonb_build_object('key', c.key, 'label', c.label, 'type', c.type, 'description', c.description,
      'options', to_jsonb(c.options)) AS row FROM custom_fields c`,
  contacts: `SELECT c.id, jsonb_build_object('name', c.name, 'phone', c.phone, 'email', c.email, 'language', c.language, 'tags', to_jsonb(c.tags), 'status', c.status,
      'optedOut', c.opted_out_at IS NOT NULL, 'lastMessage', c.last_message, 'lastMessageTime', c.last_message_at, 'createdAt', c.created_at,
      'customFields', (SELECT coalesce(jsonb_object_agg(f.key, v.value), '{}') FROM jsonb_each(c.custom_values) AS v
                         JOIN custom_fields f ON f.id = v.key::uuid)) AS row
    FROM contacts c`,
  templates: `SELECT c.id, jsonb_build_object('name', c.name, 'category', c.category, 'language', c.language, 'status', c.status,
      'content', c.content, 'variables', to_jsonb(c.variables), 'components', c.components, 'createdAt', c.created_at) AS row
    FROM templates c`,
  campaigns: `SELECT c.id, jsonb_build_object('name', c.name, 'kind', c.kind, 'template', c.template_name, 'customMessage', c.custom_message, 'inContactLanguage', c.in_contact_language,
      'variables', c.variables, 'status', c.status, 'scheduledAt', c.scheduled_at, 'quietHours', c.quiet_hours, 'audienceSize', c.audience_size,
      'total', c.total, 'sent', c.sent, 'delivered', c.delivered, 'read', c.read, 'failed', c.failed, 'createdAt', c.created_at) AS row
    FROM campaigns_now c`,
} as const;

type Section = keyof typeof ROWS;
const SECTIONS = Object.keys(ROWS) as Section[]; // these are its keys

type Place = { section: Section; after: string; isFirst: boolean };
type Page = { text: string; rows: number; next: Place | null };

/** Contacts, templates, campaigns and settings as one file, written page by page. */
export const dataExport = {
  name: 'data-export',
  async step(scope, operation) {
    let place: Place | null = 'section' in operation.resume ? (operation.resume as Place) : null; // as the page before kept it
    let text = place ? '' : await writeHead(scope, operation.created_at);
    let rows = 0;
    place ??= { section: SECTIONS[0]!, after: NOBODY, isFirst: true };
    while (place && rows < ROWS_AT_ONCE) {
      const page: Page = await writeRows(scope, place, ROWS_AT_ONCE - rows);
      text += page.text;
      rows += page.rows;
      place = page.next;
    }
    return writePage(scope, operation, {
      ...{ rows, isLast: place === null, resume: place ?? {} },
      bytes: new TextEncoder().encode(text),
      file: {
        subject: 'backup',
        extension: 'json',
        type: 'application/json; charset=utf-8',
      },
    });
  },
  onEnd: async () => undefined,
} satisfies SteppingKind;

/** The next rows of a section, with its end and the beginning of the next one where it has no more. */
async function writeRows(
  { query, workspaceId }: ReadScope,
  { section, after, isFirst }: Place,
  most: number,
): Promise<Page> {
  const { rows } = await query<{ id: string; row: unknown }>(
    `${ROWS[section]} WHERE c.workspace_id = $1 AND c.id > $2 ORDER BY c.id LIMIT ${most}`,
    [workspaceId, after],
  );
  const lines = rows.map(({ row }, index) => `${isFirst && index === 0 ? '' : ',\n'}${JSON.stringify(row)}`);
  const text = `${isFirst ? `"${section}":[` : ''}${lines.join('')}`;
  if (rows.length === most)
    return {
      text,
      rows: most,
      next: { section, after: rows.at(-1)!.id, isFirst: false },
    };
  const next = SECTIONS[SECTIONS.indexOf(section) + 1];
  return {
    text: `${text}${next ? '],\n' : ']}\n'}`,
    rows: rows.length,
    next: next ? { section: next, after: NOBODY, isFirst: true } : null,
  };
}

/** Credentials are no settings, and never in it; the logo is named by an id, which means nothing elsewhere. */
async function writeHead(scope: ReadScope, at: Date): Promise<string> {
  const { version: _, logo: ___, ...general } = await findGeneralSettings(scope);
  const { version: __, ...messaging } = await findMessagingSettings(scope);
  const head = {
    version: DATA_VERSION,
    exportDate: at.toISOString(),
    settings: { ...general, messaging },
  };
  return `${JSON.stringify(head).slice(0, -1)},\n`;
}
