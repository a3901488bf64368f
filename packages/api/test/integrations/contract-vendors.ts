import { createHmac } from 'node:crypto';
import type { ConnectorKind } from '@app/domain/integrations/connector-kind';
import { calendlyConnector, signingKeyOf } from '@app/providers/calendly/calendly-connector';
import { keyedAddress } from '@app/providers/calls/keyed-address';
import { hubspotConnector } from '@app/providers/hubspot/hubspot-connector';
import { mailchimpConnector } from '@app/providers/mailchimp/mailchimp-connector';
import { salesforceConnector } from '@app/providers/salesforce/salesforce-connector';
import { shopifyConnector } from '@app/providers/shopify/shopify-connector';
import type { Sandbox } from '@app/sandbox/sandbox';

/** A person in the suite's own field names; each vendor maps them to its names. */
export type Someone = { name: string; phone: string; email: string };

/** Switches that every stand-in has. */
export type Faults = {
  rejectNext: number;
  retryAfterSeconds: number | null;
  failNext: number;
  htmlNext: number;
  isRevoked: boolean;
  clockAheadMs: number;
};

/** What the suite needs of a vendor: its connector, and its stand-in in common words. */
export type ContractVendor = {
  kind: (options: { sandboxUrl: string | undefined }) => ConnectorKind;
  faults(sandbox: Sandbox): Faults;
  clear(sandbox: Sandbox): void;
  add(sandbox: Sandbox, one: Someone): string;
  change(sandbox: Sandbox, id: string, patch: Partial<Someone>): void;
  /** As if it had been changed so much earlier. */
  age(sandbox: Sandbox, id: string, ms: number): void;
  remove(sandbox: Sandbox, id: string): void;
  /** Null where the vendor has no place for it. */
  optOut: ((sandbox: Sandbox, id: string) => void) | null;
  read(sandbox: Sandbox, id: string): Someone & { isOptedOut: boolean };
  list(sandbox: Sandbox): string[];
  /** Whether the next sync sees a deletion; where not, a webhook or the daily look does. */
  seesDeletions: boolean;
  /** A call of the vendor that says that a record changed. Null where it has no webhooks. */
  webhook: ((id: string, url: string, at: number, secret?: string) => RequestInit) | null;
  /** The address that it calls, where that is not ours as it is. */
  address?(url: string, secret?: string): string;
  /** Ends every session, as time does. Absent where a token has no end. */
  endSessions?(sandbox: Sandbox): void;
  /** Nothing is written there, and its webhooks bring no contacts. */
  isReadOnly?: true;
};

const split = (name: string) => {
  const words = name.split(' ');
  return [words.slice(0, -1).join(' '), words.at(-1) ?? ''] as const;
};

const ofHubspot = ({ name, phone, email }: Partial<Someone>) => ({
  ...(name !== undefined && { firstname: split(name)[0], lastname: split(name)[1] }),
  ...(phone !== undefined && { phone }),
  ...(email !== undefined && { email }),
});

const hubspot: ContractVendor = {
  kind: hubspotConnector,
  faults: (sandbox) => sandbox.hubspot.behaviour,
  clear(sandbox) {
    sandbox.hubspot.reset();
    sandbox.hubspot.contacts.clear();
  },
  add: (sandbox, one) => sandbox.hubspot.create(ofHubspot(one)).id,
  change: (sandbox, id, patch) => sandbox.hubspot.update(sandbox.hubspot.contacts.get(id)!, ofHubspot(patch)), // of this suite
  age: (sandbox, id, ms) => void (sandbox.hubspot.contacts.get(id)!.updatedAt -= ms), // of this suite
  remove: (sandbox, id) => sandbox.hubspot.archive(sandbox.hubspot.contacts.get(id)!), // of this suite
  optOut(sandbox, id) {
    const name = 'messaging_opt_out';
    sandbox.hubspot.properties.set(name, {
      ...{ name, label: 'x', type: 'string', isReadOnly: false, hasUniqueValue: false },
    });
    sandbox.hubspot.update(sandbox.hubspot.contacts.get(id)!, { [name]: 'true' }); // of this suite
  },
  read(sandbox, id) {
    const { properties: all } = sandbox.hubspot.contacts.get(id)!; // of this suite
    return {
      name: `${all['firstname'] ?? ''} ${all['lastname'] ?? ''}`.trim(),
      ...{ phone: all['phone'] ?? '', email: all['email'] ?? '' },
      isOptedOut: all['messaging_opt_out'] === 'true',
    };
  },
  list: (sandbox) =>
    [...sandbox.hubspot.contacts.values()].filter((one) => !one.archived).map(({ id }) => id),
  seesDeletions: false,
  webhook(id, url, at, secret = 'sandbox-hubspot-secret') {
    const body = JSON.stringify([
      { eventId: 1, subscriptionType: 'contact.propertyChange', objectId: Number(id) },
    ]);
    const headers = {
      'x-hubspot-signature-v3': createHmac('sha256', secret)
        .update(`POST${url}${body}${at}`)
        .digest('base64'),
      'x-hubspot-request-timestamp': String(at),
    };
    return { method: 'POST', body, headers };
  },
};

const ofShopify = ({ name, phone, email }: Partial<Someone>) => ({
  ...(name !== undefined && { firstName: split(name)[0], lastName: split(name)[1] }),
  ...(phone !== undefined && { phone }),
  ...(email !== undefined && { email }),
});

const shopify: ContractVendor = {
  kind: shopifyConnector,
  endSessions: (sandbox) => sandbox.shopify.tokens.clear(),
  faults: (sandbox) => sandbox.shopify.behaviour,
  clear(sandbox) {
    sandbox.shopify.reset();
    sandbox.shopify.clearRecords();
  },
  add: (sandbox, one) => sandbox.shopify.create(ofShopify(one)).id,
  change: (sandbox, id, patch) =>
    void sandbox.shopify.update(sandbox.shopify.customers.get(id)!, ofShopify(patch)), // of this suite
  age: (sandbox, id, ms) => void (sandbox.shopify.customers.get(id)!.updatedAt -= ms), // of this suite
  remove: (sandbox, id) => sandbox.shopify.deleteRecord(id),
  optOut: (sandbox, id) => void sandbox.shopify.putRecord(id, { smsState: 'UNSUBSCRIBED' }),
  read(sandbox, id) {
    const { firstName, lastName, phone, email, smsState } = sandbox.shopify.customers.get(id)!; // of this suite
    return { name: `${firstName} ${lastName}`.trim(), phone, email, isOptedOut: smsState === 'UNSUBSCRIBED' };
  },
  list: (sandbox) => [...sandbox.shopify.customers.keys()],
  seesDeletions: false,
  webhook(id, _url, _at, secret = 'sandbox-shopify-secret') {
    const body = `{"id":${id.replace(/^.*\//, '')},"admin_graphql_api_id":"${id}"}`;
    const headers = {
      'x-shopify-topic': 'customers/update',
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
    };
    return { method: 'POST', body, headers };
  },
};

const ofMailchimp = ({ name, phone, email }: Partial<Someone>) => ({
  ...(name !== undefined && { FNAME: split(name)[0], LNAME: split(name)[1] }),
  ...(phone !== undefined && { PHONE: phone }),
  ...(email !== undefined && { email }),
});

const mailchimp: ContractVendor = {
  kind: mailchimpConnector,
  faults: (sandbox) => sandbox.mailchimp.behaviour,
  clear(sandbox) {
    sandbox.mailchimp.reset();
    sandbox.mailchimp.clearRecords();
  },
  add: (sandbox, one) => sandbox.mailchimp.putRecord(null, ofMailchimp(one)).id,
  change: (sandbox, id, patch) => void sandbox.mailchimp.putRecord(id, ofMailchimp(patch)),
  age: (sandbox, id, ms) => void (sandbox.mailchimp.members.get(id)!.changedAt -= ms), // of this suite
  remove: (sandbox, id) => sandbox.mailchimp.deleteRecord(id),
  optOut: (sandbox, id) => void sandbox.mailchimp.putRecord(id, { status: 'unsubscribed' }),
  read(sandbox, id) {
    const { email, status, mergeFields: all } = sandbox.mailchimp.members.get(id)!; // of this suite
    const name = `${all['FNAME'] ?? ''} ${all['LNAME'] ?? ''}`.trim();
    return { name, phone: all['PHONE'] ?? '', email, isOptedOut: status === 'unsubscribed' };
  },
  list: (sandbox) => [...sandbox.mailchimp.members.keys()],
  seesDeletions: true,
  webhook: () => ({ method: 'POST', body: 'type=profile&data%5Bemail%5D=ana%40mail.example' }),
  address: (url, secret = 'sandboxmailchimpkey-us1') => keyedAddress(secret, url),
};

const ofSalesforce = ({ name, phone, email }: Partial<Someone>) => ({
  ...(name !== undefined && { FirstName: split(name)[0], LastName: split(name)[1] }),
  ...(phone !== undefined && { MobilePhone: phone }),
  ...(email !== undefined && { Email: email }),
});

const salesforce: ContractVendor = {
  kind: salesforceConnector,
  endSessions: (sandbox) => sandbox.salesforce.endSessions(),
  faults: (sandbox) => sandbox.salesforce.behaviour,
  clear(sandbox) {
    sandbox.salesforce.reset();
    sandbox.salesforce.clearRecords();
  },
  add: (sandbox, one) => sandbox.salesforce.putRecord(null, ofSalesforce(one)).id,
  change: (sandbox, id, patch) => void sandbox.salesforce.putRecord(id, ofSalesforce(patch)),
  age: (sandbox, id, ms) => void (sandbox.salesforce.records.get(id)!.changedAt -= ms), // of this suite
  remove: (sandbox, id) => sandbox.salesforce.deleteRecord(id),
  optOut: (sandbox, id) => void sandbox.salesforce.putRecord(id, { HasOptedOutOfMessages__c: 'true' }),
  read(sandbox, id) {
    const { values: all } = sandbox.salesforce.records.get(id)!; // of this suite
    const text = (name: string) => String(all[name] ?? '');
    return {
      name: `${text('FirstName')} ${text('LastName')}`.trim(),
      ...{ phone: text('MobilePhone'), email: text('Email') },
      isOptedOut: all['HasOptedOutOfMessages__c'] === true,
    };
  },
  list: (sandbox) => sandbox.salesforce.list('Contact').map(({ id }) => id),
  seesDeletions: true,
  webhook: null,
};

const calendly: ContractVendor = {
  kind: calendlyConnector,
  isReadOnly: true,
  faults: (sandbox) => sandbox.calendly.behaviour,
  clear(sandbox) {
    sandbox.calendly.reset();
    sandbox.calendly.clearRecords();
  },
  add: (sandbox, one) => sandbox.calendly.book(one).id,
  change: (sandbox, id, patch) => void sandbox.calendly.putRecord(id, patch),
  age: (sandbox, id, ms) => void (sandbox.calendly.invitees.get(id)!.updatedAt -= ms), // of this suite
  remove: (sandbox, id) => sandbox.calendly.deleteRecord(id),
  optOut: null,
  read(sandbox, id) {
    const { name, phone, email } = sandbox.calendly.invitees.get(id)!; // of this suite
    return { name, phone, email, isOptedOut: false };
  },
  list: (sandbox) => [...sandbox.calendly.invitees.keys()],
  seesDeletions: false,
  webhook(_id, _url, at, secret = 'sandbox-calendly-token') {
    const body = JSON.stringify({ event: 'invitee.created', payload: {} });
    const seconds = Math.floor(at / 1_000);
    const signature = createHmac('sha256', signingKeyOf(secret)).update(`${seconds}.${body}`).digest('hex');
    return {
      method: 'POST',
      body,
      headers: { 'calendly-webhook-signature': `t=${seconds},v1=${signature}` },
    };
  },
};

/** Every connector that exchanges contacts: one entry each. */
export const contractVendors = {
  hubspot,
  salesforce,
  shopify,
  mailchimp,
  calendly,
} as const satisfies Record<string, ContractVendor>;
