import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiFixture, type ApiFixture, type SentMail } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await openApiFixture({
    mailer: {
      async send(mail) {
        mailed.push(mail);
        if (mail.text.includes('mail server away'))
          throw Object.assign(new Error('connection refused'), { code: 'ECONNREFUSED' });
      },
    },
  });
});
afterAll(() => api.close());

const mailed: SentMail[] = [];
const enquiry = {
  name: 'Ann Lee',
  email: 'ann@example.com',
  company: 'Lee & Co',
  message: 'How much for ten?',
};
const send = (form: object) => api.stranger.post('/api/sales-enquiries', form);
const readStored = async () =>
  (await api.db.systemPool.query('SELECT * FROM sales_enquiries ORDER BY id')).rows;

test('an enquiry is stored and mailed to each administrator alone', async () => {
  expect((await send(enquiry)).status).toBe(200);
  expect(await readStored()).toMatchObject([{ ...enquiry, ip_address: '192.0.2.1' }]);
  await expect.poll(() => mailed.map(({ to }) => to)).toEqual(['admin@acme.test', 'admin@other.test']);
  for (const mail of mailed)
    expect(mail).toMatchObject({
      replyTo: 'ann@example.com',
      subject: 'Sales enquiry from Ann Lee',
    });
  expect(mailed[0]?.text).toContain('How much for ten?');
});

test('it is kept when the mail server does not take it, and every administrator is tried', async () => {
  const before = mailed.length;
  expect((await send({ ...enquiry, message: 'mail server away' })).status).toBe(200);
  await expect.poll(() => mailed.length - before).toBe(2);
  expect((await readStored()).map(({ message }) => message)).toContain('mail server away');
  // Both wait for their next attempt, and hold neither the words nor the addresses.
  const readWaiting = async () =>
    (await api.db.systemPool.query(`SELECT data, output FROM jobs.job WHERE state = 'retry'`)).rows;
  await expect.poll(readWaiting).toHaveLength(2);
  for (const { data, output } of await readWaiting()) {
    expect(Object.keys(data)).toEqual(['userId', 'enquiryId']);
    expect(output).toEqual({ code: 'ECONNREFUSED' });
  }
});

test('a line break in a name cannot add a mail header', async () => {
  await send({ ...enquiry, name: 'Ann\r\nBcc: all@example.com' });
  await expect
    .poll(() => mailed.map(({ subject }) => subject))
    .toContain('Sales enquiry from Ann Bcc: all@example.com');
});

test('bad fields are named, and one address cannot flood', async () => {
  const answer = await send({ name: '', email: 'x', message: ' ' });
  expect(answer.status).toBe(422);
  const { error } = await answer.json<{ error: { details: { issues: { field: string }[] } } }>();
  expect(error.details.issues.map(({ field }) => field)).toEqual(['name', 'email', 'message']);
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 10; attempt += 1) statuses.push((await send(enquiry)).status);
  expect(statuses).toContain(429);
});

test('an administrator reads the mail in their language, else in that of the workspace', async () => {
  await api.db.systemPool.query(`UPDATE workspaces SET language = 'de' WHERE id = $1`, [api.workspaceId]);
  await api.db.systemPool.query(`UPDATE users SET language = 'pt' WHERE email = 'admin@other.test'`);
  const form = { ...enquiry, name: 'Eva {x} #1' };
  const answer = await api.stranger.request('/api/sales-enquiries', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      'x-test-address': '192.0.2.9',
    },
    body: JSON.stringify(form),
  });
  expect(answer.status).toBe(200);
  const sent = () => mailed.filter(({ subject }) => subject.includes('Eva'));
  await expect.poll(() => sent().length).toBe(2);
  const ours = sent().find(({ to }) => to === 'admin@acme.test');
  expect(ours).toMatchObject({
    subject: 'Vertriebsanfrage von Eva {x} #1',
    text: 'Name: Eva {x} #1\nE-Mail: ann@example.com\nFirma: Lee & Co\n\nHow much for ten?',
  });
  const theirs = sent().find(({ to }) => to === 'admin@other.test');
  expect(theirs?.subject).toBe('Contato comercial de Eva {x} #1');
});
