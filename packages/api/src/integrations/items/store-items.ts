import { newId } from '@app/database/new-id';
import { readEmailAddress } from '@app/domain/contacts/contact';
import { cleanName, contactLimits } from '@app/domain/contacts/contact';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import type { ConnectorItem } from '@app/domain/integrations/connector-items';
import { findByPhone } from '../../contacts/contact-aliases.ts';
import { addContact } from '../../contacts/contact-changes.ts';
import { readPhoneNumber } from '../../contacts/phone-number.ts';
import type { Fingerprints } from '../../platform/erased-people.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import type { IntegrationRow } from '../integration-rows.ts';

/** What happened longer ago is history: it is shown, and starts nothing. */
const FRESH_MS = 24 * 3_600_000;

type Parts = {
  integration: Pick<IntegrationRow, 'id' | 'kind'>;
  secrets: Fingerprints;
  home: PhoneCountry | undefined;
};

type Known = {
  id: string;
  contact_id: string | null;
  status: string;
  remote_updated_at: Date;
  said: string[];
};

/**
 * Stores what the service says of orders and the like, and emits what is new of each. It may come twice, late and by two ways: only what is newer than what
 * is known changes anything, and each event is told once. What the database refuses of one is left out; its neighbours go on.
 */
export async function storeItems(
  scope: WorkspaceScope,
  parts: Parts,
  items: readonly ConnectorItem[],
): Promise<number> {
  let stored = 0;
  for (const item of items) {
    await scope.query('SAVEPOINT of_item', []);
    try {
      if (await storeItem(scope, parts, item)) stored += 1;
      await scope.query('RELEASE SAVEPOINT of_item', []);
    } catch (error) {
      if (!/^2[23]/.test(codeOf(error))) throw error;
      await scope.query('ROLLBACK TO SAVEPOINT of_item', []);
    }
  }
  return stored;
}

async function storeItem(scope: WorkspaceScope, parts: Parts, item: ConnectorItem): Promise<boolean> {
  const { integration } = parts;
  const { rows } = await scope.query<Known>(
    `SELECT id, contact_id, status, remote_updated_at, said FROM integration_items
      WHERE workspace_id = $1 AND integration_id = $2 AND type = $3 AND external_id = $4 FOR UPDATE`,
    [scope.workspaceId, integration.id, item.type, item.id],
  );
  const known = rows[0];
  if (known && isOlder(item, known)) return false;
  // An order completes its checkout, whatever is still said of that one.
  const isCompleted = known?.status === 'completed';
  const contactId = known?.contact_id ?? (await findPerson(scope, parts, item));
  const said = known?.said ?? [];
  const news = item.events.filter((event) => !said.includes(event));
  const oldest = scope.clock().getTime() - FRESH_MS;
  // Of one that was not known before it is not clear when something happened to it, unless it is new itself.
  const isFresh = item.updatedAt.getTime() >= oldest && (known !== undefined || item.at.getTime() >= oldest);
  const due = item.due
    .filter(({ event, until }) => !isCompleted && !said.includes(event) && until > scope.clock())
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const id = known?.id ?? newId();
  await scope.query(
    `INSERT INTO integration_items (id, workspace_id, integration_id, type, external_id, contact_id, title, status, amount, currency, url, occurred_at,
                                    starts_at, remote_updated_at, "values", said, due, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT (workspace_id, integration_id, type, external_id) DO UPDATE SET
       contact_id = excluded.contact_id, title = excluded.title, status = excluded.status, amount = excluded.amount, currency = excluded.currency,
       url = excluded.url, starts_at = excluded.starts_at, remote_updated_at = excluded.remote_updated_at, "values" = excluded."values",
       said = excluded.said, due = excluded.due, due_at = excluded.due_at`,
    [
      ...[id, scope.workspaceId, integration.id, item.type, item.id, contactId, item.title.slice(0, 200)],
      ...[
        isCompleted ? 'completed' : item.status,
        item.total?.amount ?? null,
        item.total?.currency ?? null,
        item.url,
        item.at,
      ],
      ...[
        item.startsAt,
        item.updatedAt,
        JSON.stringify(item.values),
        [...said, ...news],
        JSON.stringify(due),
      ],
      due[0]?.at ?? null,
    ],
  );
  if (item.completes !== null)
    await scope.query(
      `UPDATE integration_items SET status = 'completed', due = '[]', due_at = NULL
        WHERE workspace_id = $1 AND integration_id = $2 AND type = 'checkout' AND external_id = $3`,
      [scope.workspaceId, integration.id, item.completes],
    );
  if (contactId !== null && isFresh)
    for (const event of news)
      await emitItemEvent(scope, { contactId, kind: integration.kind, event, itemId: id });
  return true;
}

/** Times of a service may be whole seconds: of two states in one second, the one that knows less of what happened came first. */
function isOlder({ updatedAt, events }: ConnectorItem, known: Known): boolean {
  if (known.remote_updated_at.getTime() !== updatedAt.getTime()) return known.remote_updated_at > updatedAt;
  return known.said.some((event) => !events.includes(event));
}

export async function emitItemEvent(
  scope: WorkspaceScope,
  { contactId, kind, event, itemId }: { contactId: string; kind: string; event: string; itemId: string },
): Promise<void> {
  await scope.emit({
    ...{ type: 'contact.service_event', subject: contactId },
    values: { kind, event: `${kind}.${event}`, itemId },
  });
}

/** By the record of the service, by number, by an address that one contact alone has; with a number that nobody has, a new contact. */
async function findPerson(
  scope: WorkspaceScope,
  { integration, secrets, home }: Parts,
  { person: { externalId, phone, email, name } }: ConnectorItem,
): Promise<string | null> {
  if (externalId !== null) {
    const { rows } = await scope.query<{ id: string }>(
      `SELECT c.id FROM integration_records r JOIN contacts c ON c.workspace_id = r.workspace_id AND c.id = r.contact_id
        WHERE r.workspace_id = $1 AND r.integration_id = $2 AND r.external_id = $3 AND NOT r.is_gone`,
      [scope.workspaceId, integration.id, externalId],
    );
    if (rows[0]) return rows[0].id;
  }
  const number = phone ? readPhoneNumber(phone, home) : null;
  const byNumber = number ? await findByPhone(scope, number) : null;
  if (byNumber !== null) return byNumber;
  const address = email ? (readEmailAddress(email) ?? null) : null;
  if (address !== null) {
    const { rows } = await scope.query<{ id: string; phone: string | null }>(
      `SELECT id, phone FROM contacts
        WHERE workspace_id = $1 AND email_hash = hashtextextended(lower($2), 0) AND lower(email) = lower($2) ORDER BY id LIMIT 2`,
      [scope.workspaceId, address],
    );
    const [one, second] = rows;
    // Whether it is the same person with two numbers is for a person to say.
    if (one && !second && !(one.phone && number)) return one.id;
    if (one) return null;
  }
  if (!number) return null;
  const added = await addContact(scope, secrets, {
    ...{ phone: number, name: cleanName(name ?? '').slice(0, contactLimits.name) || number, email: address },
    ...{ language: null, tags: [], status: 'active', customFields: {} },
  });
  return typeof added === 'object' && 'id' in added ? added.id : null;
}

function codeOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return '';
}
