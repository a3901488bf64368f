import { createHmac } from 'node:crypto';
import { makePerson } from '../core/made-people.ts';
import { RecentList } from '../core/recent-list.ts';
import { HubspotError } from './hubspot-error.ts';
import { sampleContacts } from './sample-contacts.ts';

export interface HubspotContact {
  id: string;
  archived: boolean;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
  properties: Record<string, string>;
}

/** A note or a task, with the contacts on whose timelines it stands. */
export interface HubspotActivity {
  id: string;
  type: 'notes' | 'tasks';
  contactIds: readonly string[];
  createdAt: number;
  properties: Readonly<Record<string, string>>;
}

/** Switches of the stand-in. */
export interface HubspotBehaviour {
  latencyMs: number;
  /** So many of the next calls are answered 429. */
  rejectNext: number;
  /** What a 429 says: `TEN_SECONDLY_ROLLING`, `SECONDLY` or `DAILY`, and `Retry-After` in seconds, or none. */
  policyName: string;
  retryAfterSeconds: number | null;
  /** So many of the next calls are answered 503, or with a page of HTML. */
  failNext: number;
  htmlNext: number;
  /** The token is refused from now on. */
  isRevoked: boolean;
  /** The clock of the vendor is ahead by so much. */
  clockAheadMs: number;
  /** Search does not find a change before so much time. */
  searchLagMs: number;
  /** Where webhooks go; empty: nowhere. */
  webhookUrl: string;
}

export const HUBSPOT_TOKEN = 'sandbox-hubspot-token';
export const HUBSPOT_APP_SECRET = 'sandbox-hubspot-secret';

const ordinary: HubspotBehaviour = {
  ...{ latencyMs: 0, rejectNext: 0, policyName: 'TEN_SECONDLY_ROLLING', retryAfterSeconds: 1 },
  ...{ failNext: 0, htmlNext: 0, isRevoked: false, clockAheadMs: 0, searchLagMs: 0, webhookUrl: '' },
};

/** The stages that every new account has. */
const stages = [
  ...[['subscriber', 'Subscriber'] as const, ['lead', 'Lead'] as const],
  ...[['marketingqualifiedlead', 'Marketing Qualified Lead'] as const],
  ...[['salesqualifiedlead', 'Sales Qualified Lead'] as const, ['opportunity', 'Opportunity'] as const],
  ...[['customer', 'Customer'] as const, ['evangelist', 'Evangelist'] as const, ['other', 'Other'] as const],
].map(([value, label]) => ({ value, label }));

const READ_ONLY = ['createdate', 'lastmodifieddate', 'hs_object_id'];
const knownProperties = [
  ...['email', 'firstname', 'lastname', 'phone', 'mobilephone', 'company', 'city', 'jobtitle'],
  ...['lifecyclestage', 'hs_language', ...READ_ONLY],
];

export interface HubspotProperty {
  name: string;
  label: string;
  type: string;
  isReadOnly: boolean;
  hasUniqueValue: boolean;
  /** Of an enumeration. */
  options?: readonly { value: string; label: string }[];
}

/** One account of the vendor: its contacts, its properties, its limits. */
export class HubspotAccount {
  behaviour: HubspotBehaviour = { ...ordinary };
  readonly contacts = new Map<string, HubspotContact>();
  readonly properties = new Map<string, HubspotProperty>();
  activities: HubspotActivity[] = [];
  readonly calls = new RecentList<{ at: string; method: string; path: string; status: number }>(1_000);
  #nextId = 501;
  #lastTime = 0;
  #made = 0;
  /** While people are added in large numbers, no webhook is posted. */
  #isQuiet = false;

  constructor() {
    this.reset();
  }

  reset(): void {
    this.#lastTime = 0;
    this.#made = 0;
    this.behaviour = { ...ordinary };
    this.contacts.clear();
    this.properties.clear();
    this.calls.clear();
    this.activities = [];
    this.#nextId = 501;
    for (const name of knownProperties)
      this.properties.set(name, {
        ...{ name, label: name, type: 'string', hasUniqueValue: name === 'email' },
        isReadOnly: READ_ONLY.includes(name),
        ...(name === 'lifecyclestage' && { label: 'Lifecycle Stage', type: 'enumeration', options: stages }),
      });
    for (const properties of sampleContacts) this.create(properties);
  }

  /** Strictly later than any moment before: two changes never share a millisecond. */
  now(): number {
    this.#lastTime = Math.max(this.#lastTime + 1, Date.now());
    return this.#lastTime + this.behaviour.clockAheadMs;
  }

  create(properties: Record<string, string>): HubspotContact {
    this.#checkUnique(properties, null);
    const at = this.now();
    const contact: HubspotContact = {
      ...{ id: String(this.#nextId++), archived: false, archivedAt: null, createdAt: at, updatedAt: at },
      properties: {},
    };
    this.contacts.set(contact.id, contact);
    this.#write(contact, properties, at);
    this.#tell('contact.creation', contact.id);
    return contact;
  }

  update(contact: HubspotContact, properties: Record<string, string>): void {
    this.#checkUnique(properties, contact);
    this.#write(contact, properties, this.now());
    this.#tell('contact.propertyChange', contact.id);
  }

  archive(contact: HubspotContact): void {
    if (contact.archived) return;
    contact.archived = true;
    contact.archivedAt = this.now();
    this.#tell('contact.deletion', contact.id);
  }

  /** Both become one new contact, with the values of the first where it has them. Its parts are in no list any more, also not among the deleted. */
  merge(primary: HubspotContact, other: HubspotContact): HubspotContact {
    for (const { id } of [primary, other]) this.contacts.delete(id);
    return this.create({ ...other.properties, ...primary.properties });
  }

  /** So many people who were not there before. */
  addPeople(count: number): void {
    this.#isQuiet = true;
    try {
      for (let n = 0; n < count; n += 1) {
        const { first, last, email, phone, city } = makePerson(this.#made++);
        this.create({ firstname: first, lastname: last, email, phone, city, lifecyclestage: 'lead' });
      }
    } finally {
      this.#isQuiet = false;
    }
  }

  addActivity(made: Omit<HubspotActivity, 'id' | 'createdAt'>): HubspotActivity {
    const activity = { ...made, id: String(this.#nextId++), createdAt: this.now() };
    this.activities.push(activity);
    return activity;
  }

  /** A value for a property that there is not. */
  findUnknown(properties: Record<string, unknown>): string | undefined {
    return Object.keys(properties).find((name) => !this.properties.has(name));
  }

  findBy(property: string, value: string): HubspotContact | undefined {
    const wanted = value.toLowerCase();
    for (const contact of this.contacts.values()) {
      const known = contact.properties[property];
      if (!contact.archived && known?.length === wanted.length && known.toLowerCase() === wanted)
        return contact;
    }
    return undefined;
  }

  /** With those that the vendor makes by itself. */
  read({ id, createdAt, updatedAt, properties }: HubspotContact): Record<string, string> {
    return {
      ...properties,
      ...{ createdate: isoOf(createdAt), lastmodifieddate: isoOf(updatedAt), hs_object_id: id },
    };
  }

  #write(contact: HubspotContact, properties: Record<string, string>, at: number): void {
    for (const [name, value] of Object.entries(properties))
      if (value === '') delete contact.properties[name];
      else contact.properties[name] = value;
    contact.updatedAt = at;
  }

  #checkUnique(properties: Record<string, string>, own: HubspotContact | null): void {
    for (const { name, hasUniqueValue } of this.properties.values()) {
      const value = properties[name];
      if (!hasUniqueValue || !value) continue;
      const other = this.findBy(name, value);
      if (other && other !== own)
        throw new HubspotError(409, 'CONFLICT', `Contact already exists. Existing ID: ${other.id}`);
    }
  }

  #tell(subscriptionType: string, objectId: string): void {
    const { webhookUrl } = this.behaviour;
    if (webhookUrl === '' || this.#isQuiet) return;
    const at = Date.now();
    const body = JSON.stringify([
      {
        ...{ eventId: Math.floor(Math.random() * 1e9), subscriptionId: 1, portalId: 4242, appId: 7 },
        ...{ occurredAt: this.now(), subscriptionType, attemptNumber: 0, objectId: Number(objectId) },
      },
    ]);
    const signature = createHmac('sha256', HUBSPOT_APP_SECRET)
      .update(`POST${webhookUrl}${body}${at}`)
      .digest('base64');
    const headers = {
      'content-type': 'application/json',
      'x-hubspot-signature-v3': signature,
      'x-hubspot-request-timestamp': String(at),
    };
    void fetch(webhookUrl, { method: 'POST', headers, body }).catch(() => undefined);
  }
}

export const isoOf = (at: number): string => new Date(at).toISOString();
