import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox } from '../src/sandbox.ts';

test('keeps mail and shows it', async () => {
  const sandbox = createSandbox();
  const { url, mailPort } = await sandbox.start({ port: 0, mailPort: 0 });
  await speakSmtp(mailPort ?? 0, [
    'EHLO product',
    'MAIL FROM:<app@example.com>',
    'RCPT TO:<ann@example.com>',
    'DATA',
    'From: App <app@example.com>\r\nTo: ann@example.com\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nOpen the link.\r\n.',
    'QUIT',
  ]);
  const answer = await (await fetch(`${url}/_sandbox/mail`)).json();
  expect(answer).toMatchObject({
    mails: [{ from: 'app@example.com', to: ['ann@example.com'], subject: 'Grüße', text: 'Open the link.\n' }],
  });
  await fetch(`${url}/_sandbox/mail`, { method: 'DELETE' });
  expect(await (await fetch(`${url}/_sandbox/mail`)).json()).toEqual({ mails: [] });
  await sandbox.close();
});

test('serves the page under a policy that lets no foreign script run', async () => {
  const sandbox = createSandbox();
  const page = await sandbox.fetch(new Request('http://sandbox/'));
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await page.clone().text()).not.toMatch(/<script>|onclick=|style="/);
  const named = async (path: string) => {
    const answer = await sandbox.fetch(new Request(`http://sandbox${path}`));
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };
  // Every part that the page or another part names is there.
  const seen = new Set(
    [...(await page.text()).matchAll(/(?:href|src)="(\/page\/[^"]+)"/g)].map(([, path = '']) => path),
  );
  for (const path of seen)
    for (const [, part] of (await named(path)).matchAll(/from '\.\/([\w-]+\.js)'/g))
      seen.add(`/page/${part}`);
  expect([...seen].toSorted()).toEqual(
    sandbox.routes.flatMap((route) => (route.startsWith('GET /page/') ? [route.slice(4)] : [])).toSorted(),
  );
  await sandbox.close();
});

test('names the services whose records can be changed by hand, and each has such records', async () => {
  const sandbox = createSandbox();
  const get = async (path: string) =>
    (await sandbox.fetch(new Request(`http://sandbox${path}`))).json() as Promise<
      Record<string, Record<string, unknown>[] | undefined>
    >;
  const { services = [] } = await get('/_sandbox/page/services');
  const titles = services.map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['HubSpot', 'Shopify', 'Slack', 'Zapier']));
  expect(services.map(({ name }) => name)).not.toContain('openai');
  expect(services.find(({ name }) => name === 'calendly')).toMatchObject({
    events: [{ name: 'move', value: 'id' }, { name: 'cancel' }],
  });
  for (const { name } of services)
    expect((await get(`/_sandbox/${String(name)}/records`))['records']).toBeInstanceOf(Array);
  await sandbox.close();
});

test('has a section for each vendor, and below it tabs of its parts', async () => {
  const sandbox = createSandbox();
  const text = await (await sandbox.fetch(new Request('http://sandbox/'))).text();
  const tabs = [...text.matchAll(/<button role="tab" id="tab-([a-z-]+)" aria-controls="([a-z-]+)"/g)];
  expect(tabs.map(([, , name]) => name)).toEqual([
    ...['whatsapp', 'rcs', 'openai', 'services', 'mail'],
    ...['phones', 'console', 'webhooks', 'calls', 'faults'],
  ]);
  for (const [, id, name] of tabs) {
    expect(id).toBe(name);
    expect(text.split(`<section id="${name}"`)).toHaveLength(2);
  }
  // What forgets everything is of no vendor.
  expect(text.indexOf('id="reset"')).toBeLessThan(text.indexOf('<main>'));
  await sandbox.close();
});

test('shows a phone with its bubbles, and nothing new twice', async () => {
  const sandbox = createSandbox();
  const call = async (path: string, body?: unknown) =>
    sandbox.fetch(
      new Request(
        `http://sandbox${path}`,
        body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
      ),
    );
  await call('/_sandbox/whatsapp/inbound', {
    from: '+447700900201',
    name: 'Ann',
    text: '<img src=x onerror=alert(1)>',
  });
  const state = (await (await call('/_sandbox/page/state')).json()) as { version: number; chats: unknown[] }; // our own page state
  expect(state.chats).toMatchObject([{ user: '447700900201', name: 'Ann', isWindowOpen: true }]);
  const phone = await call('/_sandbox/page/phone?number=200000000000001&user=447700900201');
  expect(await phone.json()).toMatchObject({
    messages: [{ direction: 'in', body: '<img src=x onerror=alert(1)>', buttons: [] }],
  });
  expect((await call(`/_sandbox/page/state?since=${state.version}`)).status).toBe(204);
  await sandbox.close();
});

function speakSmtp(port: number, lines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const waiting = [...lines];
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      const isComplete = /^\d{3} .*\r\n$/m.test(text);
      if (/^[45]/.test(text)) reject(new Error(text));
      if (isComplete && waiting.length > 0) socket.write(`${waiting.shift()}\r\n`);
    });
    socket.on('close', () => resolve());
    socket.on('error', reject);
  });
}
