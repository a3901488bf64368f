import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectorCall, ConnectorKind } from '@app/domain/integrations/connector-kind';
import type { EventOutcome } from '@app/domain/integrations/event-connector';
import type { PushOutcome, RemoteRecord, Reply } from '@app/domain/integrations/contact-connector';
import { askService } from '@app/providers/calls/ask-service';

export type Note = { id: string; changedAt: number; name: string; phone: string; stop: string };
const KEY = 'notebook-key';

/** A service that nothing in the product knows: a list of people over HTTP, which takes writes and hears of events. */
export async function openNotebook() {
  const people = new Map<string, Note>();
  const heard: { type: string; contact: string }[] = [];
  let lastAt = 0;
  const write = (id: string, values: Partial<Note>): Note => {
    const before = people.get(id) ?? { id, changedAt: 0, name: '', phone: '', stop: '' };
    lastAt = Math.max(Date.now(), lastAt + 1);
    const after = { ...before, ...values, id, changedAt: lastAt };
    people.set(id, after);
    return after;
  };
  const find = (phone: string | null) => [...people.values()].find((one) => one.phone === phone);
  const routes: Record<string, (body: never) => unknown> = {
    '/whoami': () => ({ account: 'Field notes' }),
    '/changes': ({ after }: { after: number }) =>
      [...people.values()].filter(({ changedAt }) => changedAt > after),
    '/read': ({ ids }: { ids: string[] }) => ids.flatMap((id) => people.get(id) ?? []),
    '/find': ({ phones }: { phones: string[] }) => phones.flatMap((phone) => find(phone) ?? []),
    '/write': ({ id, phone, values }: { id: string | null; phone: string | null; values: Partial<Note> }) =>
      write(id ?? find(phone)?.id ?? `n${people.size + 1}`, values),
    '/events': (event: { type: string; contact: string }) => heard.push(event),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const route = routes[request.url ?? ''];
      const isKnown = request.headers.authorization === `Bearer ${KEY}`;
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as never; // written by the connector below
      response.writeHead(isKnown ? 200 : 401).end(isKnown ? JSON.stringify(route?.(body)) : '{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ people, heard, write, find, kind: notebookConnector(url) },
    /** A call of the service that says that one of its people changed. */
    webhook: (id: string, key = KEY): RequestInit => ({
      ...{ method: 'POST', body: id, headers: { 'x-notebook-signature': signatureOf(key, id) } },
    }),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const signatureOf = (key: string, body: Uint8Array | string) =>
  createHmac('sha256', key).update(body).digest('hex');

/** The ninth connector: all that the product has to be told of a service. */
function notebookConnector(url: string): ConnectorKind {
  return {
    ...{ name: 'notebook', title: 'Notebook', category: 'crm', type: 'crm', features: ['contactSync'] },
    limit: { perSecond: 200 },
    credentials: {
      version: 1,
      fields: [{ name: 'notebookKey', label: 'accessToken', isSecret: true, format: 'text' }],
    },
    sandbox: { notebookKey: KEY },
    contacts: {
      mapping: [
        { ours: 'name', theirs: 'name', direction: 'both', wins: 'newest' },
        { ours: 'phone', theirs: 'phone', direction: 'both', wins: 'newest' },
      ],
      optOutField: 'stop',
    },
    webhooks: {
      isSigned: ({ notebookKey = '' }, { headers, body }) =>
        headers.get('x-notebook-signature') === signatureOf(notebookKey, body),
      readChanged: (body) => [new TextDecoder().decode(body)],
    },
    events: { topics: [{ name: 'newContacts' }], perSecond: 20, withoutAnswer: 'again' },
    open: ({ notebookKey = '' }, { call }) => openAccount(call, url, notebookKey),
  };
}

function openAccount(call: ConnectorCall, url: string, key: string): ReturnType<ConnectorKind['open']> {
  const ask = async <Body>(path: string, body: object): Promise<Reply<Body>> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const request = { url: `${url}${path}`, method: 'POST', headers, body: JSON.stringify(body) } as const;
    const reply = await askService(call, request);
    return reply.ok ? { ok: true, value: reply.value.body as Body } : reply; // the service above
  };
  const askNotes = async (path: string, body: object): Promise<Reply<RemoteRecord[]>> => {
    const reply = await ask<Note[]>(path, body);
    return reply.ok ? { ok: true, value: reply.value.map(recordOf) } : reply;
  };
  return {
    async check() {
      const reply = await ask<{ account: string }>('/whoami', {});
      if (!reply.ok) return { state: 'unhealthy', problem: reply.problem, detail: reply.detail };
      return { state: 'healthy', account: reply.value.account };
    },
    contacts: {
      listFields: async () => ({
        ...{ ok: true, value: ['name', 'phone'].map((name) => ({ name, label: name, isReadOnly: false })) },
      }),
      async pull(cursor) {
        const reply = await askNotes('/changes', { after: Number(cursor ?? 0) });
        if (!reply.ok) return reply;
        const last = Math.max(Number(cursor ?? 0), ...reply.value.map((one) => one.updatedAt.getTime()));
        return { ok: true, value: { records: reply.value, cursor: String(last), isLast: true } };
      },
      fetch: (ids) => askNotes('/read', { ids }),
      find: (keys) => askNotes('/find', keys),
      async push(records) {
        const outcomes: PushOutcome[] = [];
        for (const { externalId, phone, values } of records) {
          const reply = await ask<Note>('/write', { id: externalId, phone, values });
          if (!reply.ok) return reply;
          outcomes.push({ ok: true, externalId: reply.value.id });
        }
        return { ok: true, value: outcomes };
      },
    },
    events: {
      async send({ type, contact }): Promise<EventOutcome> {
        const reply = await ask('/events', { type, contact: contact?.name });
        if (reply.ok) return { outcome: 'sent' };
        const { problem, detail, retryAfterMs } = reply;
        return { ...{ outcome: 'failed', problem, detail, retryAfterMs }, isUnknown: true };
      },
    },
  };
}

function recordOf({ id, changedAt, name, phone, stop }: Note): RemoteRecord {
  const at = new Date(changedAt);
  return { id, updatedAt: at, editedAt: at, isDeleted: false, values: { name, phone, stop } };
}
