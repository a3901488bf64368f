import type { SqlQueries } from '../sql-queries.ts';

export type ContactHold = {
  workspaceId: string;
  contactId: string;
  hours: number;
  /** When the platform said so, whenever it arrived. */
  from: Date;
};

const HOUR_MS = 3_600_000;

export function holdUntil({ from, hours }: Pick<ContactHold, 'from' | 'hours'>): Date {
  return new Date(from.getTime() + hours * HOUR_MS);
}

/** No marketing to these people for some hours, also when their contact is deleted and comes back meanwhile. */
export async function holdContacts(client: SqlQueries, holds: readonly ContactHold[]): Promise<void> {
  const now = Date.now();
  const lasting = holds
    .map((hold) => ({ ...hold, until: holdUntil(hold) }))
    .filter(({ until }) => until.getTime() > now);
  if (lasting.length === 0) return;
  await client.query('SELECT hold_contacts($1::uuid[], $2::uuid[], $3::timestamptz[])', [
    lasting.map(({ workspaceId }) => workspaceId),
    lasting.map(({ contactId }) => contactId),
    lasting.map(({ until }) => until),
  ]);
}
