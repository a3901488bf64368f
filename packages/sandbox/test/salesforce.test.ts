import { afterAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());
let token = '';
beforeEach(async () => {
  sandbox.salesforce.reset();
  token = (await logIn()).body['access_token'] as string; // as below
});

type Answer = { status: number; body: Record<string, unknown>; headers: Headers };
async function request(path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...init.headers };
  const response = await sandbox.fetch(
    new Request(`http://127.0.0.1/salesforce${path}`, { ...init, headers }),
  );
  const text = await response.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  // Errors are lists of one.
  return { status: response.status, headers: response.headers, body: body as Record<string, unknown> };
}
const logIn = (secret = 'sandbox-salesforce-secret') =>
  request('/services/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: 'sandbox-salesforce-client', client_secret: secret },
    }),
  });
const BASE = '/services/data/v62.0';
const query = (soql: string, path = 'query') =>
  request(`${BASE}/${path}?${new URLSearchParams({ q: soql })}`);
const send = (method: string, path: string, body: object) =>
  request(`${BASE}${path}`, { method, body: JSON.stringify(body) });

test('opens with the credentials of its app, until the session ends', async () => {
  expect(await logIn('another')).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
  const limits = await request(`${BASE}/limits`);
  expect(limits).toMatchObject({ status: 200, body: { DailyApiRequests: { Max: 100_000 } } });
  expect(limits.headers.get('sforce-limit-info')).toBe('api-usage=1/100000');
  sandbox.salesforce.endSessions();
  expect(await request(`${BASE}/limits`)).toMatchObject({
    status: 401,
    body: [{ errorCode: 'INVALID_SESSION_ID' }],
  });
});

test.each([
  ["SELECT Id FROM Contact WHERE LastName = 'lind' ORDER BY Id", 2],
  ["SELECT Id FROM Contact WHERE (Title = 'Buyer' OR Title = 'CEO') AND MailingCity != 'Porto'", 2],
  ["SELECT Id FROM Contact WHERE MobilePhone IN ('+351 912 888 101', '(415) 555-2188')", 2],
  ["SELECT Id FROM Lead WHERE Company LIKE 'Tan%' AND IsConverted = false", 1],
  ['SELECT Id FROM Contact WHERE SystemModstamp >= 2020-01-01T00:00:00.000Z LIMIT 3', 3],
  ['SELECT Id FROM Contact WHERE SystemModstamp < 2020-01-01T00:00:00Z', 0],
])('answers %s with %i', async (soql, count) => {
  expect((await query(soql)).body['totalSize']).toBe(count);
});

test('refuses a query that it cannot read, and a field that there is not', async () => {
  expect((await query('SELECT FROM Contact')).body).toMatchObject([{ errorCode: 'MALFORMED_QUERY' }]);
  expect((await query('SELECT Wine__c FROM Contact')).body).toMatchObject([{ errorCode: 'INVALID_FIELD' }]);
  expect((await query('SELECT Id FROM Nothing')).status).toBe(404);
});

test('shows the rest of a query at the address that it names', async () => {
  sandbox.salesforce.behaviour.pageSize = 6;
  const first = await query('SELECT Id FROM Contact ORDER BY Id');
  expect(first.body).toMatchObject({ totalSize: 10, done: false });
  const next = await request(String(first.body['nextRecordsUrl']));
  expect(next.body).toMatchObject({ totalSize: 10, done: true });
  expect(next.body['records']).toHaveLength(4);
});

test('shows what was deleted to those who ask for all', async () => {
  const [one] = sandbox.salesforce.list('Contact');
  sandbox.salesforce.remove(one!);
  const soql = 'SELECT Id, IsDeleted FROM Contact WHERE IsDeleted = true';
  expect((await query(soql)).body['totalSize']).toBe(0);
  expect((await query(soql, 'queryAll')).body['totalSize']).toBe(1);
});

test('writes several records, each with a result of its own, and one of a key only once', async () => {
  const attributes = { type: 'Contact' };
  const created = await send('POST', '/composite/sobjects', {
    records: [
      { attributes, LastName: 'One' },
      { attributes, FirstName: 'Two' },
    ],
  });
  expect(created.body).toMatchObject([
    { success: true, created: true },
    { success: false, errors: [{ statusCode: 'REQUIRED_FIELD_MISSING', fields: ['LastName'] }] },
  ]);
  const row = { attributes, LastName: 'Key', Messaging_Phone__c: '+34612000999' };
  const upsert = () => send('PATCH', '/composite/sobjects/Contact/Messaging_Phone__c', { records: [row] });
  expect((await upsert()).body).toMatchObject([{ created: true }]);
  expect((await upsert()).body).toMatchObject([{ created: false }]);
  const many = Array.from({ length: 201 }, () => ({ attributes, LastName: 'x' }));
  expect((await send('POST', '/composite/sobjects', { records: many })).status).toBe(400);
});

test('lists its reports and who is in them', async () => {
  const { body } = await request(`${BASE}/analytics/reports`);
  const [report] = body as unknown as { id: string; name: string }[];
  expect(report).toMatchObject({ name: 'Buyers' });
  const shown = await request(`${BASE}/analytics/reports/${report!.id}?includeDetails=true`);
  expect(JSON.stringify(shown.body)).toContain(sandbox.salesforce.reports[0]!.members[0]);
});
