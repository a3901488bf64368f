import type { ContactConnector, RemoteRecord, Reply } from '@app/domain/integrations/contact-connector';
import type { ItemConnector } from '@app/domain/integrations/connector-items';
import type { askService } from '../calls/ask-service.ts';
import { listIn } from '../calls/expected-answer.ts';
import { recordOf, textOf, type JsonRecord } from '../calls/json-values.ts';
import { phoneOf, readBooking, timeOf } from './calendly-bookings.ts';

/** GET, or POST where there is a body. */
export type CalendlyAsk = (path: string) => ReturnType<typeof askService>;

/** Each meeting costs one more call, for its invitees. */
const PAGE = 20;
/** No meeting has more: it ends a service that gives the same page for ever. */
const MOST_INVITEES = 10_000;
const DAY_MS = 86_400_000;
const PAST_MS = 30 * DAY_MS;
const AHEAD_MS = 60 * DAY_MS;

type Pair = { event: JsonRecord; invitee: JsonRecord };
type Pairs = { pairs: Pair[]; next: string | null };

/** Invitees are known by their address. Meetings have no order of changes, so each run reads those from a month ago to two months ahead. */
export function createCalendlyInvitees(
  ask: CalendlyAsk,
  readOwner: () => Promise<Reply<{ organization: string }>>,
): { contacts: ContactConnector; items: ItemConnector } {
  /** A meeting of a group can have more invitees than one page shows. */
  const readInvitees = async (event: string): Promise<Reply<JsonRecord[]>> => {
    const invitees: JsonRecord[] = [];
    let token: string | null = null;
    do {
      const query = new URLSearchParams({ count: '100', ...(token !== null && { page_token: token }) });
      const reply: Awaited<ReturnType<CalendlyAsk>> = await ask(
        `/scheduled_events/${encodeURIComponent(event)}/invitees?${query}`,
      );
      if (!reply.ok) return reply;
      const collection = listIn(reply.value.body, 'collection');
      if (!collection.ok) return collection;
      invitees.push(...collection.value.map(recordOf));
      token = nextOf(reply.value.body);
    } while (token !== null && invitees.length < MOST_INVITEES);
    return { ok: true, value: invitees };
  };
  const readPairs = async (filter: Record<string, string>): Promise<Reply<Pairs>> => {
    const owner = await readOwner();
    if (!owner.ok) return owner;
    const query = new URLSearchParams({ organization: owner.value.organization, ...filter });
    const listed = await ask(`/scheduled_events?${query}`);
    if (!listed.ok) return listed;
    const collection = listIn(listed.value.body, 'collection');
    if (!collection.ok) return collection;
    const pairs: Pair[] = [];
    for (const raw of collection.value) {
      const event = recordOf(raw);
      const key = textOf(event['uri'])?.replace(/^.*\//, '');
      if (!key) continue;
      const invitees = await readInvitees(key);
      if (!invitees.ok) return invitees;
      pairs.push(...invitees.value.map((invitee) => ({ event, invitee })));
    }
    return { ok: true, value: { pairs, next: nextOf(listed.value.body) } };
  };
  const pull = async (cursor: string | null, now: Date): Promise<Reply<Pairs>> =>
    readPairs({
      min_start_time: dayOf(now.getTime() - PAST_MS),
      max_start_time: dayOf(now.getTime() + AHEAD_MS),
      ...{ sort: 'start_time:asc', count: String(PAGE) },
      ...(cursor && { page_token: cursor }),
    });
  return {
    contacts: {
      listFields: async () => ({
        ok: true,
        value: ['name', 'phone', 'email'].map((name) => ({ name, label: name, isReadOnly: true })),
      }),
      async pull(cursor) {
        const reply = await pull(cursor, new Date());
        if (!reply.ok) return reply;
        const { pairs, next } = reply.value;
        return { ok: true, value: { records: recordsOf(pairs), cursor: next ?? '', isLast: next === null } };
      },
      async fetch(ids) {
        const records: RemoteRecord[] = [];
        for (const email of ids) {
          const reply = await readPairs({ invitee_email: email, sort: 'start_time:desc', count: '1' });
          if (!reply.ok) return reply;
          records.push(...recordsOf(reply.value.pairs).filter(({ id }) => id === email));
        }
        return { ok: true, value: records };
      },
      find: async () => ({ ok: true, value: [] }),
      push: async (records) => ({
        ok: true,
        value: records.map(() => ({ ok: false, detail: 'Invitees are only read.' })),
      }),
    },
    items: {
      async pull(cursor, now) {
        const reply = await pull(cursor, now);
        if (!reply.ok) return reply;
        const { pairs, next } = reply.value;
        const items = pairs.flatMap(({ event, invitee }) => readBooking(event, invitee) ?? []);
        return { ok: true, value: { items, cursor: next ?? '', isLast: next === null } };
      },
    },
  };
}

const nextOf = (body: unknown): string | null =>
  textOf(recordOf(recordOf(body)['pagination'])['next_page_token']);

/** The newest invitee of each address tells who it is. */
function recordsOf(pairs: readonly Pair[]): RemoteRecord[] {
  const byEmail = new Map<string, RemoteRecord>();
  for (const { event, invitee } of pairs) {
    const email = textOf(invitee['email'])?.toLowerCase();
    const updatedAt = timeOf(invitee['updated_at']) ?? timeOf(invitee['created_at']);
    if (!email || !updatedAt) continue;
    const known = byEmail.get(email);
    if (known && known.updatedAt >= updatedAt) continue;
    byEmail.set(email, {
      ...{ id: email, updatedAt, editedAt: updatedAt, isDeleted: false },
      values: {
        name: textOf(invitee['name']),
        phone: phoneOf(event, invitee) ?? known?.values['phone'] ?? null,
        email,
      },
    });
  }
  return [...byEmail.values()];
}

/** The same for all pages of a run. */
const dayOf = (at: number): string => new Date(at - (at % DAY_MS)).toISOString();
