import type pg from 'pg';
import type { PreferenceChanged } from '@app/domain/messaging/inbound-event';
import { findContacts, type ContactRef } from './find-contacts.ts';

/** Applies stop and resume that people chose inside the app; answers with the contacts concerned. */
export async function storeConsent(
  client: pg.PoolClient,
  preferences: readonly { event: PreferenceChanged; workspaceId: string }[],
): Promise<ContactRef[]> {
  if (preferences.length === 0) return [];
  const contacts = await findContacts(
    client,
    preferences.map(({ event, workspaceId }) => ({ workspaceId, person: event.person })),
  );
  const changed: ContactRef[] = [];
  for (const { event, workspaceId } of [...preferences].sort(
    (a, b) => a.event.occurredAt - b.event.occurredAt,
  )) {
    const contactId = contacts.idOf(workspaceId, event.person);
    if (contactId === null) continue;
    await client.query('UPDATE contacts SET opted_out_at = $2, version = version + 1 WHERE id = $1', [
      contactId,
      event.preference === 'stop' ? new Date(event.occurredAt) : null,
    ]);
    changed.push({ workspaceId, contactId });
  }
  return changed;
}
