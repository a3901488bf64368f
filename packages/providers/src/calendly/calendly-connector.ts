import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import type { Connector, ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import { askService } from '../calls/ask-service.ts';
import { isAddressOfOurs, keyedAddress } from '../calls/keyed-address.ts';
import { unreadable } from '../calls/expected-answer.ts';
import { parseJson, recordOf, textOf } from '../calls/json-values.ts';
import { createCalendlyInvitees } from './calendly-invitees.ts';
import { readBooking } from './calendly-bookings.ts';

const ORIGIN = 'https://api.calendly.com';
const OLDEST_MS = 180_000;

/** Credentials with which the stand-in of the sandbox opens. */
const SANDBOX = { accessToken: 'sandbox-calendly-token' };

/** `sandboxUrl` is the address of the sandbox of this installation, if it has one. */
export function calendlyConnector({ sandboxUrl }: { sandboxUrl: string | undefined }): ConnectorKind {
  return {
    name: 'calendly',
    title: 'Calendly',
    category: 'productivity',
    type: null,
    features: ['inviteeSync', 'bookings', 'reminders', 'webhooks'],
    // A free account allows 50 requests a minute, a paid one 500.
    limit: { perSecond: 8, atOnce: 2 },
    credentials: {
      version: 1,
      fields: [{ name: 'accessToken', label: 'personalToken', isSecret: true, format: 'text' }],
    },
    setupUrl: () => 'https://calendly.com/integrations/api_webhooks',
    ...(sandboxUrl !== undefined && { sandbox: SANDBOX }),
    contacts: {
      isReadOnly: true,
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'in', wins: 'ours' },
        { ours: 'phone', theirs: 'phone', direction: 'in', wins: 'ours' },
        { ours: 'email', theirs: 'email', direction: 'in', wins: 'ours' },
      ],
    },
    webhooks: {
      subscribesItself: true,
      // developer.calendly.com, webhook signatures: `t=<seconds>,v1=<hex>` over `{t}.{body}`.
      isSigned({ accessToken = '' }, { headers, body, now }) {
        const [, at = '', given = ''] =
          /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get('calendly-webhook-signature') ?? '') ?? [];
        if (accessToken === '' || at === '') return false;
        if (Math.abs(now.getTime() - Number(at) * 1_000) > OLDEST_MS) return false;
        const expected = createHmac('sha256', signingKeyOf(accessToken))
          .update(`${at}.`)
          .update(body)
          .digest();
        return timingSafeEqual(expected, Buffer.from(given, 'hex'));
      },
      readChanged: (body) => (payloadOf(body) === null ? null : []),
      readItems(body) {
        const payload = recordOf(payloadOf(body));
        const booking = readBooking(recordOf(payload['scheduled_event']), payload);
        return booking ? [booking] : [];
      },
    },
    open: (credentials, { call }) => openAccount(credentials, call, sandboxUrl),
  };
}

function payloadOf(body: Uint8Array): unknown {
  return recordOf(parseJson(new TextDecoder().decode(body)))['payload'] ?? null;
}

/** The key is ours to choose: one that follows from the token needs no place of its own. */
export const signingKeyOf = (accessToken: string): string =>
  createHmac('sha256', accessToken).update('calendly webhooks').digest('hex');

function openAccount(
  { accessToken = '' }: Credentials,
  call: ConnectorCall,
  sandboxUrl: string | undefined,
): Connector {
  const isSandbox = sandboxUrl !== undefined && accessToken === SANDBOX.accessToken;
  const origin = isSandbox ? `${sandboxUrl}/calendly` : ORIGIN;
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) =>
    askService(
      call,
      {
        ...{ method, url: `${origin}${path}` },
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      },
      (outcome) => {
        if (outcome.outcome !== 'rejected') return null;
        const { message, title } = recordOf(outcome.response.json());
        const reset = Number(outcome.response.headers['x-ratelimit-reset']);
        return {
          detail: textOf(message) ?? textOf(title),
          ...(outcome.response.status === 429 && reset > 0 && { retryAfterMs: reset * 1_000 }),
        };
      },
    );
  const readOwner = async () => {
    const reply = await ask('GET', '/users/me');
    if (!reply.ok) return reply;
    const {
      uri,
      name,
      email,
      current_organization: organization,
    } = recordOf(recordOf(reply.value.body)['resource']);
    const [user, scope] = [textOf(uri), textOf(organization)];
    if (user === null || scope === null) return unreadable;
    return { ok: true, value: { user, organization: scope, name: textOf(name) ?? textOf(email) } } as const;
  };
  const { contacts, items } = createCalendlyInvitees((path) => ask('GET', path), readOwner);
  const readSubscriptions = async (url: string) => {
    const owner = await readOwner();
    if (!owner.ok) return null;
    const { organization } = owner.value;
    const query = new URLSearchParams({ organization, scope: 'organization', count: '100' });
    const known = await ask('GET', `/webhook_subscriptions?${query}`);
    if (!known.ok) return null;
    const { collection } = recordOf(known.value.body);
    const all = (Array.isArray(collection) ? collection : []).map(recordOf).map((one) => ({
      ...{ id: textOf(one['uri'])?.replace(/^.*\//, '') ?? '', address: textOf(one['callback_url']) ?? '' },
      isActive: one['state'] === 'active',
    }));
    return {
      organization,
      ours: all.filter(({ id, address }) => id !== '' && isAddressOfOurs(address, url)),
    };
  };
  const unsubscribe = async (known: readonly { id: string }[]) => {
    for (const { id } of known) await ask('DELETE', `/webhook_subscriptions/${encodeURIComponent(id)}`);
  };
  return {
    async check() {
      const owner = await readOwner();
      return owner.ok
        ? { state: 'healthy', account: owner.value.name }
        : { state: 'unhealthy', problem: owner.problem, detail: owner.detail };
    },
    // A free account has no webhooks, and is read by each sync. One that failed for a day is disabled and made anew.
    async subscribe(url) {
      if (!isSandbox && !url.startsWith('https:')) return;
      const known = await readSubscriptions(url);
      // Another token signs with another key, so it has another address.
      const address = keyedAddress(accessToken, url);
      if (!known || known.ours.some((one) => one.address === address && one.isActive)) return;
      await unsubscribe(known.ours);
      await ask('POST', '/webhook_subscriptions', {
        ...{ url: address, organization: known.organization, scope: 'organization' },
        ...{ signing_key: signingKeyOf(accessToken), events: ['invitee.created', 'invitee.canceled'] },
      });
    },
    async revoke(url) {
      await unsubscribe((await readSubscriptions(url))?.ours ?? []);
    },
    contacts,
    items,
  };
}
