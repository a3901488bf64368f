import type { CountedLink } from '@app/domain/links/counted-link';
import type { FoundLink } from '@app/domain/links/rewrite-links';
import { newId } from '../new-id.ts';
import type { SqlQueries } from '../sql-queries.ts';
import { newLinkCode, newLinkKey } from './link-code.ts';

/** Of what the links are: of a run, or of a message to one contact. */
export type LinksOf = {
  workspaceId: string;
  channelId: string;
  campaignId: string | null;
  templateId: string | null;
  contentId: string | null;
  contactId: string | null;
  /** False: they lead on, and nothing is counted. */
  isCounted: boolean;
  at: Date;
};

/** Stores links in the transaction of their message, and gives each its code. `setRunOfLinks` names the run when that is known. */
export async function addLinks(
  client: SqlQueries,
  { base, found }: { base: string; found: readonly FoundLink[] },
  of: LinksOf,
): Promise<{ ids: string[]; links: Record<string, CountedLink> }> {
  const made = found.map((link) => ({
    ...link,
    id: newId(of.at.getTime()),
    code: newLinkCode(),
    key: newLinkKey(),
  }));
  await client.query(
    `INSERT INTO counted_links (id, owner, workspace_id, code, key, target, label, place, is_counted, campaign_id, channel_id, template_id, content_id, contact_id, created_at)
     SELECT l.id, $10, $1, l.code, l.key, l.target, l.label, l.place, $2, $3, $4, $5, $6, $7, $8
       FROM jsonb_to_recordset($9::jsonb) AS l (id uuid, code text, key text, target text, label text, place text)`,
    [
      ...[
        of.workspaceId,
        of.isCounted,
        of.campaignId,
        of.channelId,
        of.templateId,
        of.contentId,
        of.contactId,
      ],
      ...[of.at, JSON.stringify(made), newId(of.at.getTime())],
    ],
  );
  return {
    ids: made.map(({ id }) => id),
    links: Object.fromEntries(
      made.map(({ name, code, key, target, isSuffix }) => [
        name,
        { base, code, key, target, ...(isSuffix && ({ isSuffix } as const)) },
      ]),
    ),
  };
}

export async function setRunOfLinks(
  client: SqlQueries,
  ids: readonly string[],
  runNo: number,
): Promise<void> {
  if (ids.length > 0)
    await client.query(
      `UPDATE counted_links SET run_no = $2, owner = 'r' || $2::bigint WHERE id = ANY ($1::uuid[])`,
      [ids, runNo],
    );
}

/** Of a message that does not leave after all. */
export async function removeLinks(client: SqlQueries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await client.query('DELETE FROM counted_links WHERE id = ANY ($1::uuid[])', [ids]);
}
