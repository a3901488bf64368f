import { createHash, createHmac, randomUUID } from 'node:crypto';
import { isoOf, VendorAccount, type ShownRecord } from '../core/vendor-account.ts';
import { sampleMembers } from './sample-members.ts';

export const MAILCHIMP_KEY = 'sandboxmailchimpkey-us1';
export const MAILCHIMP_SECRET = 'sandbox-mailchimp-secret';

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

/** One account with one audience, or several where a test adds some. */
export class MailchimpAccount extends VendorAccount {
  readonly members = new Map<string, MailchimpMember>();
  lists = [{ id: 'a1b2c3d4e5', name: 'Newsletter' }];
  #nextTag = 700;

  constructor() {
    super({});
    this.reset();
  }

  override reset(): void {
    super.reset();
    this.lists = [{ id: 'a1b2c3d4e5', name: 'Newsletter' }];
    this.members.clear();
    for (const values of sampleMembers) this.putRecord(null, values);
  }

  listRecords(): ShownRecord[] {
    return [...this.members.values()].map(show);
  }

  putRecord(id: string | null, values: Record<string, string>): ShownRecord {
    const { email, status, language, ...mergeFields } = values;
    const write = { email, status, language, mergeFields };
    const known = id === null ? null : this.members.get(id)!; // the controls looked
    return show(known ? this.change(known, write) : this.add(write));
  }

  deleteRecord(id: string): void {
    const member = this.members.get(id);
    if (member) this.change(member, { status: 'archived', mergeFields: {} });
  }

  clearRecords(): void {
    this.members.clear();
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
    const member: MailchimpMember = {
      ...{ contactId: randomUUID().replaceAll('-', ''), email, language: values.language ?? 'en' },
      ...{ status: statusOf(values.status) ?? 'subscribed', mergeFields: { ...values.mergeFields } },
      ...{ tags: new Map<string, number>(), changedAt: this.now() },
    };
    this.members.set(member.contactId, member);
    this.#tell('subscribe', member);
    return member;
  }

  change(member: MailchimpMember, { email, status, language, mergeFields }: MemberValues): MailchimpMember {
    if (email && email !== member.email) {
      if (this.find(email)) throw new MailchimpRejection(`${email} is already a list member.`);
      member.email = email;
    }
    member.status = statusOf(status) ?? member.status;
    if (language) member.language = language;
    Object.assign(member.mergeFields, mergeFields);
    member.changedAt = this.now();
    this.#tell(member.status === 'unsubscribed' ? 'unsubscribe' : 'profile', member);
    return member;
  }

  /** Adds the tags that are active, and takes the others away. */
  tag(member: MailchimpMember, tags: readonly { name: string; isActive: boolean }[]): void {
    for (const { name, isActive } of tags)
      if (isActive) member.tags.set(name, member.tags.get(name) ?? (this.#nextTag += 1));
      else member.tags.delete(name);
    member.changedAt = this.now();
  }

  #tell(type: string, member: MailchimpMember): void {
    const body = new URLSearchParams({
      ...{ type, fired_at: isoOf(Date.now()).slice(0, 19).replace('T', ' ') },
      ...{ 'data[email]': member.email, 'data[list_id]': this.lists[0]?.id ?? '' },
    }).toString();
    const at = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', MAILCHIMP_SECRET).update(`${at}.${body}`).digest('hex');
    this.post(body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-mailchimp-signature': `t=${at},v1=${signature}`,
    });
  }
}

type MemberValues = {
  email?: string | undefined;
  status?: string | undefined;
  language?: string | undefined;
  mergeFields: Record<string, string>;
};

const statuses = ['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional', 'archived'] as const;
const statusOf = (text: string | undefined) => statuses.find((one) => one === text);

export const hashOf = (email: string): string => createHash('md5').update(email.toLowerCase()).digest('hex');

function show({ contactId: id, email, status, language, mergeFields }: MailchimpMember): ShownRecord {
  return { id, isDeleted: status === 'archived', values: { email, status, language, ...mergeFields } };
}
