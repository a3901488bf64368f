import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { askService } from '../calls/ask-service.ts';
import { isKeyedAddress, keyedAddress } from '../calls/keyed-address.ts';
import { listIn } from '../calls/expected-answer.ts';
import { recordOf, textOf } from '../calls/json-values.ts';
import { createMailchimpMembers, OPT_OUT_FIELD, type MailchimpAsk } from './mailchimp-members.ts';
import { subscribeList, unsubscribeList } from './mailchimp-webhooks.ts';

/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = {
  apiKey: 'sandboxmailchimpkey-us1',
  audience: '',
};

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function mailchimpConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'mailchimp',
    title: 'Mailchimp',
    category: 'email',
    type: 'email',
    features: ['audienceSync', 'twoWay', 'unsubscribes', 'fieldMapping', 'webhooks'],
    // Ten connections at once are allowed for all programs of a user.
    limit: { perSecond: 20, atOnce: 4 },
    credentials: {
      version: 1,
      fields: [
        { name: 'apiKey', label: 'apiKey', isSecret: true, format: 'text' },
        {
          ...{ name: 'audience', label: 'audience', isSecret: false, format: 'text' },
          ...{ isOptional: true, isAdvanced: true },
        },
      ],
    },
    setupUrl: () => 'https://admin.mailchimp.com/account/api/',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    contacts: {
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
        { ours: 'phone', theirs: 'PHONE', direction: 'both', wins: 'newest' },
        { ours: 'email', theirs: 'email', direction: 'both', wins: 'newest' },
        { ours: 'language', theirs: 'language', direction: 'in', wins: 'ours' },
        { ours: 'opt_out', theirs: OPT_OUT_FIELD, direction: 'both', wins: 'newest' },
      ],
      optOutField: OPT_OUT_FIELD,
      isByEmail: true,
    },
    webhooks: {
      subscribesItself: true,
      // The vendor shows the secret of its signatures once, so the address holds a key that follows from ours.
      isSigned: ({ apiKey = '' }, { url }) => isKeyedAddress(apiKey, url),
      // It names people by their address of then: the next sync reads who changed.
      readChanged: (body) =>
        new URLSearchParams(new TextDecoder().decode(body)).has('type') ? 'unnamed' : null,
    },
    open: (credentials, { call }) => openAccount(credentials, call, sandboxUrl),
  };
}

function openAccount(
  { apiKey = '', audience = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const isSandbox = sandboxUrl !== undefined && apiKey === SANDBOX.apiKey;
  // The key says in which data centre its account is.
  const centre = /-([a-z]{2,4}\d{1,4})$/.exec(apiKey)?.[1];
  const origin = isSandbox
    ? `${sandboxUrl}/mailchimp/3.0`
    : `https://${centre ?? 'us1'}.api.mailchimp.com/3.0`;
  const ask: MailchimpAsk = (method, path, body) =>
    askService(
      call,
      {
        ...{ method, url: `${origin}${path}` },
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      },
      (outcome) => {
        if (outcome.outcome !== 'rejected') return null;
        const { detail, title } = recordOf(outcome.response.json());
        return { detail: textOf(detail) ?? textOf(title) };
      },
    );
  const readList = async () => {
    const reply = await ask('GET', '/lists?count=100&fields=lists.id,lists.name,total_items');
    if (!reply.ok) return reply;
    const lists = listIn(reply.value.body, 'lists');
    if (!lists.ok) return lists;
    const known = lists.value.flatMap((raw) => {
      const { id, name } = recordOf(raw);
      const key = textOf(id);
      return key === null ? [] : [{ id: key, name: textOf(name) ?? key }];
    });
    const wanted = audience.trim();
    const list = wanted === '' ? known[0] : known.find(({ id }) => id === wanted);
    const names = known.map(({ id, name }) => `${name}: ${id}`).join(', ');
    if (!list || (wanted === '' && known.length > 1))
      return { ok: false, problem: 'choice_needed', detail: names, retryAfterMs: null } as const;
    return { ok: true, value: list } as const;
  };
  return {
    async check() {
      if (centre === undefined) return { state: 'unhealthy', problem: 'credentials_wrong', detail: null };
      const list = await readList();
      if (!list.ok) return { state: 'unhealthy', problem: list.problem, detail: list.detail };
      const account = await ask('GET', '/?fields=account_name');
      if (!account.ok) return { state: 'unhealthy', problem: account.problem, detail: account.detail };
      const title = textOf(recordOf(account.value.body)['account_name']);
      return { state: 'healthy', account: [title, list.value.name].filter(Boolean).join(' · ') };
    },
    async subscribe(url) {
      const list = isSandbox || url.startsWith('https:') ? await readList() : null;
      if (list?.ok) await subscribeList(ask, list.value.id, keyedAddress(apiKey, url));
    },
    async revoke(url) {
      const list = await readList();
      if (list.ok) await unsubscribeList(ask, list.value.id, url);
    },
    contacts: createMailchimpMembers(ask, readList),
  };
}
