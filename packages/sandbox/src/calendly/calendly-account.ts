import { createHmac, randomUUID } from 'node:crypto';
import type { MadePerson } from '../core/made-people.ts';
import { isoOf, VendorAccount, type ShownRecord } from '../core/vendor-account.ts';

export const CALENDLY_TOKEN = 'sandbox-calendly-token';
export const CALENDLY_API = 'https://api.calendly.com';

export interface CalendlyInvitee {
  id: string;
  /** The meeting: that of another invitee where several come to one. */
  event: string;
  name: string;
  email: string;
  phone: string;
  meeting: string;
  startsAt: number;
  status: 'active' | 'canceled';
  isRescheduled: boolean;
  oldInvitee: string | null;
  createdAt: number;
  updatedAt: number;
}

const DAY_MS = 86_400_000;
/** So many made people come to one meeting: each meeting costs a call, and thousands of people should come in within minutes. */
const SEATS = 50;
const samples = [
  ['Paula Ramos', 'paula.ramos@correo.example', '+34 612 888 101', 'Fitting, 30 minutes', 1.5],
  ['Felix Braun', 'felix.braun@post.example', '+49 1512 8888102', 'Consultation', 3],
  ['Nadia Petit', 'nadia.petit@courrier.example', '+33 6 12 88 81 03', 'Fitting, 30 minutes', 6],
  ['Owen Clarke', 'owen.clarke@mail.example', '+44 7911 888104', 'Consultation', -4],
  ['No Number', 'no.number@mail.example', '', 'Consultation', 8],
] as const;

/** One account with its meetings: each has one invitee, or several who are booked with the `event` of the first. */
export class CalendlyAccount extends VendorAccount {
  readonly invitees = new Map<string, CalendlyInvitee>();
  readonly subscriptions = new Map<string, { url: string; key: string }>();

  constructor() {
    super({});
    this.reset();
  }

  override reset(): void {
    super.reset();
    this.invitees.clear();
    this.subscriptions.clear();
    for (const [name, email, phone, meeting, days] of samples)
      this.book({ name, email, phone, meeting, startsAt: isoOf(Date.now() + days * DAY_MS) });
  }

  listRecords(): ShownRecord[] {
    return [...this.invitees.values()].map(show);
  }

  putRecord(id: string | null, values: Record<string, string>): ShownRecord {
    const known = id === null ? undefined : this.invitees.get(id);
    if (!known) return show(this.book(values));
    for (const name of ['name', 'email', 'phone', 'meeting'] as const)
      if (values[name] !== undefined) known[name] = values[name];
    known.updatedAt = this.now();
    return show(known);
  }

  deleteRecord(id: string): void {
    const known = this.invitees.get(id);
    if (known) this.cancel(known);
  }

  override personOf({ first, last, phone, email }: MadePerson, number: number) {
    const webinar = Math.floor(number / SEATS);
    const event = `00000000-0000-4000-8000-${String(webinar).padStart(12, '0')}`;
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const startsAt = isoOf(today + (2 + (webinar % 28)) * DAY_MS);
    return { name: `${first} ${last}`, phone, email, startsAt, event, meeting: 'Webinar' };
  }

  clearRecords(): void {
    this.invitees.clear();
  }

  /** `cancel` and `move` of the meeting of an invitee. */
  override happen(name: string, values: Record<string, string>): object {
    const known = this.invitees.get(values['id'] ?? '');
    if (!known) throw new Error(`There is no invitee ${values['id'] ?? ''}.`);
    if (name === 'cancel') return this.cancel(known);
    if (name !== 'move') throw new Error(`There is no event "${name}".`);
    known.isRescheduled = true;
    this.cancel(known);
    const { name: person, email, phone, meeting } = known;
    return this.book({ name: person, email, phone, meeting, ...values, oldInvitee: known.id });
  }

  book(values: Record<string, string>): CalendlyInvitee {
    const at = this.now();
    const startsAt = Date.parse(values['startsAt'] ?? '') || at + 2 * DAY_MS;
    const id = randomUUID();
    const invitee: CalendlyInvitee = {
      ...{ id, event: values['event'] || id, name: values['name'] ?? '', email: values['email'] ?? '' },
      ...{ phone: values['phone'] ?? '', meeting: values['meeting'] || 'Consultation', startsAt },
      ...{ status: 'active', isRescheduled: false, oldInvitee: values['oldInvitee'] ?? null },
      ...{ createdAt: at, updatedAt: at },
    };
    this.invitees.set(invitee.id, invitee);
    this.#tell('invitee.created', invitee);
    return invitee;
  }

  cancel(invitee: CalendlyInvitee): CalendlyInvitee {
    invitee.status = 'canceled';
    invitee.updatedAt = this.now();
    this.#tell('invitee.canceled', invitee);
    return invitee;
  }

  bodyOf(event: string, invitee: CalendlyInvitee): string {
    return JSON.stringify({
      ...{ event, created_at: isoOf(Date.now()), created_by: `${CALENDLY_API}/users/U1` },
      payload: { ...describeInvitee(invitee), scheduled_event: describeEvent(invitee) },
    });
  }

  #tell(event: string, invitee: CalendlyInvitee): void {
    if (this.isQuiet) return;
    const body = this.bodyOf(event, invitee);
    const at = Math.floor(Date.now() / 1_000);
    for (const { url, key } of this.subscriptions.values()) {
      const signature = createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/json',
        'calendly-webhook-signature': `t=${at},v1=${signature}`,
      };
      void fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    }
  }
}

const eventUri = ({ event }: CalendlyInvitee) => `${CALENDLY_API}/scheduled_events/${event}`;
const inviteeUri = (id: string, event = id) => `${CALENDLY_API}/scheduled_events/${event}/invitees/${id}`;

export function describeEvent(one: CalendlyInvitee): object {
  return {
    ...{ uri: eventUri(one), name: one.meeting, status: one.status },
    ...{ start_time: isoOf(one.startsAt), end_time: isoOf(one.startsAt + 1_800_000) },
    ...{
      event_type: `${CALENDLY_API}/event_types/T1`,
      location: { type: 'physical', location: 'Calle Mayor 4' },
    },
    ...{ created_at: isoOf(one.createdAt), updated_at: isoOf(one.updatedAt) },
  };
}

export function describeInvitee(one: CalendlyInvitee): object {
  return {
    ...{
      uri: inviteeUri(one.id, one.event),
      name: one.name,
      email: one.email,
      status: one.status,
      event: eventUri(one),
    },
    ...{ text_reminder_number: one.phone || null, timezone: 'Europe/Madrid', questions_and_answers: [] },
    ...{ rescheduled: one.isRescheduled, old_invitee: one.oldInvitee && inviteeUri(one.oldInvitee) },
    cancel_url: `https://calendly.com/cancellations/${one.id}`,
    reschedule_url: `https://calendly.com/reschedulings/${one.id}`,
    ...{ created_at: isoOf(one.createdAt), updated_at: isoOf(one.updatedAt) },
  };
}

function show({ id, name, email, phone, meeting, startsAt, status }: CalendlyInvitee): ShownRecord {
  return {
    ...{ id, isDeleted: status === 'canceled' },
    values: { name, email, phone, meeting, startsAt: isoOf(startsAt), status },
  };
}
