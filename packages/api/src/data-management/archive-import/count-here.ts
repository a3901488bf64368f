import type { SqlQueries } from '@app/database/sql-queries';
import type { ArchiveCounts } from '@app/domain/data-management/archive-import';
import { replacedCounts, type ReplacedCounts } from '@app/domain/data-management/data-import';

/** Where each kind of thing stands, here and in an archive. */
export const TABLES = {
  ...{ contacts: 'contacts', conversations: 'conversations', messages: 'messages', templates: 'templates' },
  ...{ campaigns: 'campaigns', segments: 'segments', customFields: 'custom_fields' },
  ...{ quickReplies: 'quick_replies', channels: 'channels' },
} as const satisfies Record<Exclude<keyof ArchiveCounts, 'files'>, string>;

/** What is here, as people see it before it goes. */
export async function countHere(client: SqlQueries, workspaceId: string): Promise<ArchiveCounts> {
  const of = (table: string) => `(SELECT count(*)::integer FROM ${table} WHERE workspace_id = $1)`;
  const { rows } = await client.query<ArchiveCounts>(
    `SELECT ${Object.entries(TABLES)
      .map(([kind, table]) => `${of(table)} AS "${kind}"`)
      .join(', ')}, ${of('media')} + ${of('message_files')} AS files`,
    [workspaceId],
  );
  return rows[0]!; // it is one row
}

/** Of that, what goes where a file of data takes its place. */
export async function countReplaced(client: SqlQueries, workspaceId: string): Promise<ReplacedCounts> {
  const here = await countHere(client, workspaceId);
  return Object.fromEntries(replacedCounts.map((kind) => [kind, here[kind]])) as ReplacedCounts; // these are its keys
}
