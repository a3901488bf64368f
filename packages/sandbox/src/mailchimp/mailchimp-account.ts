import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { MadePerson } from '../core/made-people.ts';
import { isoOf, VendorAccount, type ShownRecord, type VendorBehaviour } from '../core/vendor-account.ts';
import { sampleMembers } from './sample-members.ts';

export const MAILCHIMP_KEY = 'sandboxmailchimpkey-us1';

export interface MailchimpMember {
  contactId: string;
  email: string;
  status: 'subscribed' | 'unsubscribed' | 'cleaned' | 'pending' | 'transactional' | 'archived';
  mergeFields: Record<string, string>;
  language: string;
  /** Names by their numbers. */
  tags: Map<string, number>;
  changedAt: number;
}

export class MailchimpRejection extends Error {}

export interface MailchimpBehaviour extends VendorBehaviour {
  /** A merge field without which no member is written, unless the call says that it may be missing; empty: none. */
  requiredField: string;
}

/** One account with one audience, or several where a test adds some. */
export class MailchimpAccount extends VendorAccount<MailchimpBehaviour> {
  readonly members = new Map<string, MailchimpMember>();
  lists = [{ id: 'a1b2c3d4e5', name: 'Newsletter' }];
  readonly webhooks = new Map<string, MailchimpWebhook>();
  /** Addresses that were deleted for good: only the person can subscribe again. */
  readonly #forgotten = new Set<string>();
  #nextTag = 700;

  constructor() {
    super({ requiredField: '' });
    this.reset();
  }

  override reset(): void {
    super.reset();
    this.lists = [{ id: 'a1b2c3d4e5', name: 'Newsletter' }];
    this.members.clear();
    this.webhooks.clear();
    this.#forgotten.clear();
    for (const values of sampleMembers) this.putRecord(null, values);
  }

  listRecords(): ShownRecord[] {
    return [...this.members.values()].map(show);
  }

  putRecord(id: string | null, values: Record<string, string>): ShownRecord {
    const { email, status, language, ...mergeFields } = values;
    const write = { email, status, language, mergeFields, source: 'admin' as const };
    const known = id === null ? null : this.members.get(id)!; // the controls looked
    return show(known ? this.change(known, write) : this.add(write));
  }

  deleteRecord(id: string): void {
    const member = this.members.get(id);
    if (member) this.change(member, { status: 'archived', mergeFields: {}, source: 'admin' });
  }

  override personOf({ first, last, phone, email, language }: MadePerson, number: number) {
    // Every tenth left the newsletter.
    const status = number % 10 === 9 ? 'unsubscribed' : 'subscribed';
    return { FNAME: first, LNAME: last, PHONE: phone, email, language, status };
  }

  clearRecords(): void {
    this.members.clear();
    this.#forgotten.clear();
  }

  /** `forget`: a member is deleted for good. */
  override happen(name: string, values: Record<string, string>): object {
    if (name !== 'forget') return super.happen(name, values);
    const known = this.members.get(values['id'] ?? '');
    if (!known) throw new Error(`There is no member ${values['id'] ?? ''}.`);
    this.members.delete(known.contactId);
    this.#forgotten.add(known.email.toLowerCase());
    return show(known);
  }

  find(key: string): MailchimpMember | undefined {
    return [...this.members.values()].find(
      (one) =>
        one.contactId === key || hashOf(one.email) === key || one.email.toLowerCase() === key.toLowerCase(),
    );
  }

  add(values: MemberValues): MailchimpMember {
    const email = values.email ?? '';
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
      throw new MailchimpRejection('Please provide a valid email address.');
    if (this.#forgotten.has(email.toLowerCase()))
      throw new MailchimpRejection(`${email} was permanently deleted and cannot be re-imported.`);
    const member: MailchimpMember = {
      ...{ contactId: randomUUID().replaceAll('-', ''), email, language: values.language ?? 'en' },
      ...{ status: statusOf(values.status) ?? 'subscribed', mergeFields: { ...values.mergeFields } },
      ...{ tags: new Map<string, number>(), changedAt: this.now() },
    };
    this.members.set(member.contactId, member);
    if (member.status === 'subscribed') this.#tell('subscribe', values.source, member);
    return member;
  }

  change(
    member: MailchimpMember,
    { email, status, language, mergeFields, source }: MemberValues,
  ): MailchimpMember {
    const before = { email: member.email, status: member.status };
    if (email && email !== member.email) {
      if (this.find(email)) throw new MailchimpRejection(`${email} is already a list member.`);
      member.email = email;
    }
    member.status = statusOf(status) ?? member.status;
    if (language) member.language = language;
    Object.assign(member.mergeFields, mergeFields);
    member.changedAt = this.now();
    const isLeft = member.status === 'unsubscribed' || member.status === 'archived';
    if (isLeft && before.status !== member.status)
      this.#tell('unsubscribe', source, member, {
        action: member.status === 'archived' ? 'archive' : 'unsub',
        reason: 'manual',
      });
    else if (member.status === 'cleaned' && before.status !== 'cleaned')
      this.#tell('cleaned', source, member, { reason: 'hard' });
    else if (member.email !== before.email)
      this.#tell('upemail', source, member, { old_email: before.email, new_email: member.email });
    else this.#tell('profile', source, member);
    return member;
  }

  /** Adds the tags that are active, and takes the others away. */
  tag(member: MailchimpMember, tags: readonly { name: string; isActive: boolean }[]): void {
    for (const { name, isActive } of tags)
      if (isActive) member.tags.set(name, member.tags.get(name) ?? (this.#nextTag += 1));
      else member.tags.delete(name);
    member.changedAt = this.now();
  }

  /** To every webhook that wants this kind of change from this side, signed with its own secret. */
  #tell(
    type: MailchimpChange,
    source: MailchimpSource,
    member: MailchimpMember,
    more: Record<string, string> = {},
  ): void {
    if (this.isQuiet) return;
    const data = {
      ...{ id: hashOf(member.email), email: member.email, email_type: 'html', ...more },
      list_id: this.lists[0]?.id ?? '',
      ...Object.fromEntries(
        Object.entries(member.mergeFields).map(([tag, value]) => [`merges][${tag}`, value]),
      ),
    };
    const body = new URLSearchParams({
      ...{ type, fired_at: isoOf(Date.now()).slice(0, 19).replace('T', ' ') },
      ...Object.fromEntries(Object.entries(data).map(([name, value]) => [`data[${name}]`, value])),
    }).toString();
    const at = Math.floor(Date.now() / 1_000);
    for (const { url, secret, events, sources } of this.webhooks.values()) {
      if (!events[type] || !sources[source]) continue;
      const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'x-mailchimp-signature': `t=${at},v1=${signature}`,
      };
      void fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    }
  }
}

type MemberValues = {
  email?: string | undefined;
  status?: string | undefined;
  language?: string | undefined;
  mergeFields: Record<string, string>;
  source: MailchimpSource;
};

/** Who changed a member: the person, the owner of the account, or a program. */
export const mailchimpSources = ['user', 'admin', 'api'] as const;
export type MailchimpSource = (typeof mailchimpSources)[number];
export const mailchimpChanges = ['subscribe', 'unsubscribe', 'profile', 'cleaned', 'upemail'] as const;
export type MailchimpChange = (typeof mailchimpChanges)[number];

export type MailchimpWebhook = {
  id: string;
  url: string;
  secret: string;
  events: Record<MailchimpChange, boolean>;
  sources: Record<MailchimpSource, boolean>;
};

const statuses = ['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional', 'archived'] as const;
const statusOf = (text: string | undefined) => statuses.find((one) => one === text);

export const hashOf = (email: string): string => createHash('md5').update(email.toLowerCase()).digest('hex');

function show({ contactId: id, email, status, language, mergeFields }: MailchimpMember): ShownRecord {
  return { id, isDeleted: status === 'archived', values: { email, status, language, ...mergeFields } };
}
