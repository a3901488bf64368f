import { ArchiveInvalid, stagedName } from '@app/database/backup/read-in/staged-archive';
import type { SqlQueries } from '@app/database/sql-queries';
import type { ChannelKinds } from '@app/domain/channels/channel-kind';
import { contactLimits } from '@app/domain/contacts/contact';
import { noteLimits } from '@app/domain/conversations/note-rules';
import { conversationLimits } from '@app/domain/conversations/conversation-status';
import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { mediaMimeTypes } from '@app/domain/media/media';
import { quickReplyLimits } from '@app/domain/quick-replies/quick-reply';
import { rcsMessageLimits } from '@app/domain/rcs/rcs-message';
import { segmentLimits } from '@app/domain/segments/segment-rules';
import { teamLimits } from '@app/domain/teams/team-rules';
import { templateLimits } from '@app/domain/templates/template-rules';

/** So long a text is at most of which nothing else is said: as what one call of a platform may bring, so that everything that is stored comes back. */
const LONGEST_TEXT = 4_000_000;

/** What the application alone guards, as a condition that each row meets. The rules of the database follow when rows are added. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  contacts: [
    `length(name) <= ${contactLimits.name}`,
    `length(phone) <= ${contactLimits.phone}`,
    `length(email) <= ${contactLimits.email}`,
    `cardinality(tags) <= ${contactLimits.tags}`,
    `NOT EXISTS (SELECT FROM unnest(tags) AS tag WHERE tag IS NULL OR length(tag) NOT BETWEEN 1 AND ${contactLimits.tag})`,
    `jsonb_typeof(custom_values) = 'object'`,
  ],
  custom_fields: [`length(label) <= ${customFieldLimits.label}`],
  conversation_labels: [`length(name) <= ${conversationLimits.label}`],
  conversations: [`cardinality(labels) <= ${conversationLimits.labels}`],
  conversation_notes: [`length(body) <= ${noteLimits.body}`, `jsonb_typeof(mentions) = 'array'`],
  quick_replies: [`length(body) <= ${quickReplyLimits.text}`, `length(title) <= ${quickReplyLimits.title}`],
  rcs_messages: [
    `length(name) <= ${rcsMessageLimits.name}`,
    `jsonb_typeof(content) = 'object'`,
    `jsonb_typeof(translations) = 'object'`,
  ],
  segments: [`length(name) <= ${segmentLimits.name}`, `jsonb_typeof(rules) IN ('object', 'array')`],
  teams: [`length(name) <= ${teamLimits.name}`],
  templates: [`length(name) <= ${templateLimits.name}`, `jsonb_typeof(components) = 'array'`],
  inbox_settings: [`jsonb_typeof(settings) = 'object'`],
  workspaces: [`jsonb_typeof(settings) = 'object'`],
};

/**
 * Judges staged rows by the rules that no constraint of the database knows.
 * @throws {ArchiveInvalid} naming the table, and nothing of what stands in it
 */
export async function validateRows(held: SqlQueries, channelKinds: ChannelKinds): Promise<void> {
  const refuse = async (table: string, rule: string, values: unknown[] = []) => {
    const { rowCount } = await held.query(
      `SELECT FROM ${stagedName(table)} WHERE NOT coalesce(${rule}, true) LIMIT 1`,
      values,
    );
    if (rowCount !== 0) throw new ArchiveInvalid(`${table}: ${rule}`);
  };
  for (const [table, rules] of Object.entries(RULES)) for (const rule of rules) await refuse(table, rule);
  await refuse('channels', 'kind = ANY ($1)', [channelKinds.names]);
  await refuse('media', 'mime_type = ANY ($1)', [Object.keys(mediaMimeTypes)]);
  const { rows } = await held.query<{ table: string; column: string }>(
    `SELECT substr(c.relname, 12) AS "table", a.attname AS "column" FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = pg_my_temp_schema() AND c.relname LIKE 'archive\\_in\\_%' AND a.attnum > 0 AND a.atttypid = 'text'::regtype`,
  );
  const columnsOf = Map.groupBy(rows, ({ table }) => table);
  for (const [table, columns] of columnsOf)
    await refuse(
      table,
      columns.map(({ column }) => `coalesce(length("${column}"), 0) <= ${LONGEST_TEXT}`).join(' AND '),
    );
}
