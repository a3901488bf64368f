import type { Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  test,
  WHOLE,
} from './journey.ts';
import type { Product } from './run-product.ts';

type Phones = { phones: { phone: string; entries: { direction: string; content?: object }[] }[] };

test('an agent is connected, a carousel is written within the limits, and a test of it reaches a phone that answers', async ({
  openAs,
  product,
}) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/rcs?tab=settings');
  const key = await callSandbox(product, '/_sandbox/rcs/service-account');
  await page.getByLabel('Connect to').selectOption('sandbox');
  await page.getByRole('textbox', { name: 'Key file of the service account' }).fill('{}');
  await page.getByRole('textbox', { name: 'Agent ID' }).fill('sandbox-agent');
  await page.getByRole('textbox', { name: 'Client token' }).fill('sandbox-client-token');
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('This is not a key file of a service account.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Key file of the service account' }).fill(JSON.stringify(key));
  await page.getByRole('button', { name: 'Save agent' }).click();
  await expect(page.getByText('Connected: sandbox-agent')).toBeVisible();
  await expectFitsEverywhere(page, 'rcs-settings');

  await page.getByRole('tab', { name: 'RCS Messages' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'Spring collection' })).toContainText('Active');
  await page.goto('/dashboard/rcs?dialog=new');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('figure', { name: 'Android' })).toBeHidden();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Plans');
  await expect(dialog.getByRole('figure', { name: 'Android' })).toBeVisible();
  await dialog.getByLabel('Type').selectOption('carousel');
  await dialog.getByLabel('Status').selectOption('active');
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Basic');
  // A carousel of one card is none.
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled();
  await dialog.getByRole('button', { name: 'Add card' }).click();
  await dialog.getByRole('textbox', { name: 'Title' }).nth(1).fill('Pro');
  await dialog.getByRole('button', { name: 'Add suggestion' }).first().click();
  await dialog.getByRole('textbox', { name: 'Text' }).fill('A label of 26 characters..');
  await expect(dialog.getByText('At most 25 characters.', { exact: true })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Take it');
  await dialog.getByRole('button', { name: 'Move Card 2 up' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Title' }).first()).toHaveValue('Pro');
  await expectFitsEverywhere(page, 'rcs-message');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Plans' });
  await expect(row).toContainText('Active');
  await inWhole(() => expectFitsEverywhere(page, 'rcs-messages'));

  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Send a test' }).click();
  await dialog.getByRole('textbox', { name: 'Phone number' }).fill('+447700900231');
  await callSandbox(product, '/_sandbox/rcs/behaviour', { deliveredRate: 1 });
  await dialog.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText('The test was sent to +447700900231.')).toBeVisible();
  await expect
    .poll(async () => {
      const { phones } = await callSandbox<Phones>(product, '/_sandbox/rcs/phones');
      return phones.find(({ phone }) => phone === '+447700900231')?.entries[0]?.content;
    })
    .toMatchObject({
      richCard: { carouselCard: { cardContents: [{ title: 'Pro' }, { title: 'Basic' }] } },
    });

  // Before its launch test devices get its messages; a suspended agent is shown until it is back.
  await callSandbox(product, '/_sandbox/rcs/webhook', {
    ...{ callbackUrl: `${product.url}/webhooks/rcs/sample`, clientToken: 'sandbox-client-token' },
  });
  await page.goto('/dashboard/rcs?tab=settings');
  const tester = '+447700900251';
  await expect(page.getByText('Sandbox Brand')).toBeVisible();
  await page.getByRole('textbox', { name: 'Phone number' }).fill('+44 7700 900251');
  await page.getByRole('button', { name: 'Invite' }).click();
  const device = page.getByRole('listitem').filter({ hasText: tester });
  await expect(device).toContainText('Invited');
  await callSandbox(product, `/_sandbox/rcs/testers/${encodeURIComponent(tester)}`, {
    inviteStatus: 'ACCEPTED',
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(page.getByRole('list', { name: 'Supported features' })).toContainText('Carousels');
  await callSandbox(product, '/_sandbox/rcs/agent/launch-state', { state: 'SUSPENDED' });
  await page.getByRole('tab', { name: 'RCS Messages' }).click();
  await expect(page.getByText('The platform suspended the agent.')).toBeVisible();
  await callSandbox(product, '/_sandbox/rcs/agent/launch-state', { state: 'LAUNCHED' });
  await expect(page.getByText('The platform suspended the agent.')).toBeHidden();
});

test(
  'a campaign reaches one contact through the agent, another one by a template, and shows what became of each',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    await connectAgent(page, product);
    const stamp = String(Date.now());
    const [name, tag] = [`Spring ${stamp}`, `chain${stamp}`];
    const phones = [0, 1].map((n) => `+49151${stamp.slice(-7)}${n}`);
    for (const [n, phone] of phones.entries()) {
      const data = { name: ['Rita RCS', 'Wanda WhatsApp'][n], phone, tags: [tag] };
      const created = await page.request.post('/api/contacts', { headers: actKey(), data });
      expect(created.ok(), await created.text()).toBe(true);
    }
    await callSandbox(product, '/_sandbox/rcs/behaviour', {
      deliveredRate: 1,
      readRate: 1,
      statusDelayMs: 20,
    });
    const second = encodeURIComponent(phones[1]!);
    await callSandbox(product, `/_sandbox/rcs/phones/${second}`, { behaviour: 'no_rcs' });

    await page.goto('/dashboard/rcs?tab=campaigns');
    await page.getByRole('button', { name: 'Create RCS campaign' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Campaign Name *').fill(name);
    await dialog.getByLabel('RCS message *').click();
    // Templates are not among them.
    await expect(page.getByRole('option', { name: /Welcome Message/ })).toHaveCount(0);
    await page.getByRole('option', { name: /Spring collection/ }).click();
    await dialog.getByRole('button', { name: tag }).click();
    await expect(dialog.getByText('2 people will get this message')).toBeVisible();
    await dialog.getByText('More options').click();
    await dialog.getByRole('switch', { name: 'If it does not arrive' }).click();
    await expect(dialog.getByRole('button', { name: 'Create Campaign' })).toBeDisabled();
    await dialog.getByLabel('Template that follows').click();
    await page.getByRole('option', { name: /Welcome Message/ }).click();
    await dialog.getByRole('button', { name: 'Create Campaign' }).click();
    await expect(page.getByText('Campaign created successfully!')).toBeVisible();
    await page.getByRole('link', { name }).click();
    await page.getByRole('button', { name: 'Start', exact: true }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Start', exact: true }).click();

    const [first, other] = ['Rita RCS', 'Wanda WhatsApp'].map((text) =>
      page.getByRole('row').filter({ hasText: text }),
    );
    await expect(first!).toContainText('Read');
    await expect(other!).toContainText('This number cannot receive RCS messages');
    await expect(other!).toContainText(/Delivered|Read/);
    await expect(page.getByText(/^After .*Welcome Message/)).toBeVisible();
    // Each of them once.
    const { phones: agent } = await callSandbox<Phones>(product, '/_sandbox/rcs/phones');
    const sent = await callSandbox<{ messages: { to: string }[] }>(
      product,
      '/_sandbox/whatsapp/messages?limit=500',
    );
    const got = (phone: string) => [
      agent.find((one) => one.phone === phone)?.entries.length ?? 0,
      sent.messages.filter(({ to }) => phone.endsWith(to.replace('+', ''))).length,
    ];
    expect(phones.map(got)).toEqual([
      [1, 0],
      [0, 1],
    ]);

    // Whoever has a conversation with the agent and one with the number finds out which of them is open.
    await callSandbox(product, '/_sandbox/rcs/inbound', { from: phones[0], text: 'Is it still there?' });
    await page.goto('/dashboard/inbox');
    await page.getByRole('link', { name: /^Rita RCS.*Is it still there.*through RCS/ }).click();
    await expect(page.getByText('through RCS · sandbox-agent')).toBeVisible();
  },
);

/** The agent of the sandbox, as a journey before may have connected it. */
async function connectAgent(page: Page, product: Product): Promise<void> {
  const clientToken = 'sandbox-client-token';
  const listed = await (await page.request.get('/api/channels')).json();
  const channels: { kind: string; connection: string }[] = listed.items;
  if (!channels.some(({ kind, connection }) => kind === 'rcs' && connection !== 'none')) {
    const serviceAccount = JSON.stringify(await callSandbox(product, '/_sandbox/rcs/service-account'));
    const values = {
      serviceAccount,
      agentId: 'sandbox-agent',
      region: 'europe',
      useCase: 'multi_use',
      clientToken,
    };
    const data = { kind: 'rcs', server: 'sandbox', values };
    const made = await page.request.post('/api/channels/connections', { headers: actKey(), data });
    expect(made.ok(), await made.text()).toBe(true);
  }
  const callbackUrl = `${product.url}/webhooks/rcs/sample`;
  await callSandbox(product, '/_sandbox/rcs/webhook', { callbackUrl, clientToken });
}

test(
  'a viewer reads RCS messages and changes none, in a language of their own',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('viewer', { locale: 'de-DE' });
    await page.goto('/dashboard/rcs');
    await expect(page.getByText('Keine RCS-Nachrichten gefunden').or(page.getByRole('grid'))).toBeVisible();
    await expect(page.getByRole('button', { name: 'RCS-Nachricht erstellen' })).toBeHidden();
    await expect(page.getByRole('tab', { name: 'RCS-Einstellungen' })).toBeHidden();
    await expectWordsFit(page, 'rcs-viewer');
  },
);
