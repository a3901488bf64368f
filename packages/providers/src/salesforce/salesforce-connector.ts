import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { recordOf } from '../calls/json-values.ts';
import { createSalesforceAsk, DATA } from './salesforce-ask.ts';
import { createSalesforceContacts } from './salesforce-contacts.ts';
import { OPT_OUT_FIELD } from './salesforce-fields.ts';
import { createSalesforceTasks } from './salesforce-tasks.ts';

const EVENT_TIMEOUT_MS = 3_000;

/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = {
  ...{ domain: 'sandbox', clientId: 'sandbox-salesforce-client', clientSecret: 'sandbox-salesforce-secret' },
};

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function salesforceConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'salesforce',
    title: 'Salesforce',
    category: 'crm',
    type: 'crm',
    features: ['contactSync', 'leads', 'twoWay', 'fieldMapping', 'optOuts', 'reports', 'activities'],
    // An organisation allows 25 long calls at one time, and counts calls by the day.
    limit: { perSecond: 10, atOnce: 4 },
    credentials: {
      version: 1,
      fields: [
        { name: 'domain', label: 'myDomain', isSecret: false, format: 'text' },
        { name: 'clientId', label: 'consumerKey', isSecret: false, format: 'text' },
        { name: 'clientSecret', label: 'consumerSecret', isSecret: true, format: 'text' },
      ],
    },
    setupUrl: () => 'https://login.salesforce.com/',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    contacts: {
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
        { ours: 'phone', theirs: 'phone', direction: 'both', wins: 'newest' },
        { ours: 'email', theirs: 'Email', direction: 'both', wins: 'newest' },
        { ours: 'opt_out', theirs: OPT_OUT_FIELD, direction: 'both', wins: 'newest' },
      ],
      optOutField: OPT_OUT_FIELD,
    },
    events: {
      topics: [
        ...(['handoffs', 'resolved', 'optOuts'] as const).map((name) => ({ name })),
        ...(['replies', 'messagesSent', 'campaignOutcomes'] as const).map((name) => ({
          ...{ name, isOffAtFirst: true as const },
        })),
      ],
      perSecond: 5,
      // A task carries the id of its event: before a second attempt it is looked for.
      withoutAnswer: 'again',
    },
    open: (credentials, { call }) => openOrganisation(credentials, call, sandboxUrl),
  };
}

function openOrganisation(
  { domain = '', clientId = '', clientSecret = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const host = readMyDomain(domain);
  const isSandbox = sandboxUrl !== undefined && clientId === SANDBOX.clientId;
  const origin = isSandbox ? `${sandboxUrl}/salesforce` : `https://${host ?? 'unknown.my.salesforce.com'}`;
  const mayCall = (url: string) =>
    isSandbox ? url === origin : /^https:\/\/[a-z0-9.-]+\.salesforce\.com$/.test(url);
  const access = { origin, clientId, clientSecret, mayCall };
  const ask = createSalesforceAsk(call, access);
  // One attempt of an event: a session, a look and a task within ten seconds.
  const askOnce = createSalesforceAsk(
    (request) => call({ ...request, timeoutMs: EVENT_TIMEOUT_MS, retry: { attempts: 1 } }),
    access,
  );
  return {
    async check() {
      if (host === null)
        return { state: 'unhealthy', problem: 'account_unknown', detail: domain.slice(0, 100) };
      const reply = await ask('GET', `${DATA}/limits`);
      if (!reply.ok) return { state: 'unhealthy', problem: reply.problem, detail: reply.detail };
      if (recordOf(reply.value.body)['DailyApiRequests'] === undefined)
        return { state: 'unhealthy', problem: 'response_unreadable', detail: null };
      // The user in whose name the app runs may open the organisation and see none of its people.
      const people = await ask('GET', `${DATA}/sobjects/Contact/describe`);
      if (!people.ok)
        return {
          ...{ state: 'unhealthy', detail: people.detail ?? 'Contact' },
          problem: people.problem === 'account_unknown' ? 'permission_missing' : people.problem,
        };
      return { state: 'healthy', account: host.replace(/\.my\.salesforce\.com$/, '') };
    },
    contacts: createSalesforceContacts(ask),
    events: createSalesforceTasks(askOnce),
  };
}

/**
 * `acme.my.salesforce.com` of what people paste: the name, the address of the login, or that of the page they work in, also of a test organisation
 * (`acme--dev.sandbox`). Null for what is none.
 */
export function readMyDomain(written: string): string | null {
  const host = written
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#:].*$/, '');
  const name = host
    .replace(/\.my\.salesforce\.com$/, '')
    .replace(/\.lightning\.force\.com$/, '')
    .replace(/\.my\.salesforce-setup\.com$/, '');
  return /^[a-z0-9][a-z0-9-]{0,62}(\.(sandbox|develop|scratch|trailblaze|demo|patch|free|stage))?$/.test(
    name,
  ) && !['login', 'test'].includes(name)
    ? `${name}.my.salesforce.com`
    : null;
}
