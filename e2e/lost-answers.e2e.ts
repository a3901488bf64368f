import type { Locator, Page } from '@playwright/test';
import { actKey, callSandbox, expect, test, WHOLE, inWhole } from './journey.ts';
import type { Product } from './run-product.ts';

// The browser notes the answers that are lost here, and the refusal of a known key.
test.use({ allowedConsole: [/ERR_CONNECTION_RESET|status of 409/] });

/** The server does what it is asked; its answer never comes. */
async function loseAnswers(page: Page, address: string): Promise<void> {
  await page.route(address, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
}

async function addContact(page: Page): Promise<{ name: string; phone: string }> {
  const digits = String(Math.random()).slice(2, 10);
  const contact = { name: `Lost ${digits}`, phone: `+49151${digits}` };
  const answer = await page.request.post('/api/contacts', { headers: actKey(), data: contact });
  expect(answer.ok(), await answer.text()).toBe(true);
  return contact;
}

async function writeDraft(page: Page, name: string): Promise<void> {
  await page.goto('/dashboard/bulk-message');
  await page.getByRole('option', { name }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText('1 person will get this message')).toBeVisible();
}

/** Fills in the form of a new campaign and presses Create; the answer is lost. */
async function createWithoutAnswer(page: Page, name: string, person: string): Promise<Locator> {
  await page.goto('/dashboard/campaigns?form=new');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Campaign Name *').fill(name);
  await dialog.getByLabel('Template *').click();
  await page.getByRole('option', { name: /Welcome Message/ }).click();
  await dialog.getByRole('option', { name: person }).click();
  await loseAnswers(page, '**/api/rpc/campaigns/create');
  await dialog.getByRole('button', { name: 'Create Campaign' }).click();
  await expect(dialog.getByText(/it is unknown whether the campaign was saved/)).toBeVisible();
  await page.unroute('**/api/rpc/campaigns/create');
  return dialog;
}

async function countMessages(product: Product, phone: string): Promise<number> {
  const path = `/_sandbox/whatsapp/messages?recipient=${encodeURIComponent(phone)}`;
  return (await callSandbox<{ messages: unknown[] }>(product, path)).messages.length;
}

const send = (page: Page) => page.getByRole('button', { name: 'Send to 1 contact' });
async function pressSend(page: Page): Promise<void> {
  await send(page).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
}

test('a bulk message whose answer was lost leaves once, also after a reload', async ({ openAs, product }) => {
  const page = await openAs('admin');
  const { name, phone } = await addContact(page);
  await writeDraft(page, name);
  await loseAnswers(page, '**/api/rpc/bulkMessage/send');
  await pressSend(page);
  await expect(page.getByText(/it is unknown whether the message was sent/)).toBeVisible();
  await expect(page.getByText(/The message was not sent/)).toHaveCount(0);
  await expect.poll(() => countMessages(product, phone)).toBe(1);

  await page.unroute('**/api/rpc/bulkMessage/send');
  await page.reload();
  await pressSend(page);
  await expect(page.getByText('Bulk message sent successfully to 1 contacts!')).toHaveCount(1);
  await page.getByRole('link', { name: 'View campaign' }).click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  expect(await countMessages(product, phone)).toBe(1);
});

test(
  'a draft that changed after its lost answer is not sent beside the first',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    const { name, phone } = await addContact(page);
    await writeDraft(page, name);
    await loseAnswers(page, '**/api/rpc/bulkMessage/send');
    await pressSend(page);
    await expect(page.getByText(/it is unknown whether/)).toBeVisible();
    await page.unroute('**/api/rpc/bulkMessage/send');
    await page.getByRole('button', { name: 'Change message' }).click();
    await page.getByRole('radio', { name: /Welcome Message/ }).check();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await pressSend(page);
    await expect(page.getByText(/^An earlier try reached the server/)).toBeVisible();
    await expect(send(page)).toBeDisabled();
    await page.getByRole('link', { name: 'View campaign' }).click();
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
    expect(await countMessages(product, phone)).toBe(1);
  },
);

test('a draft in two tabs is sent once, and the other tab says so', WHOLE, async ({ openAs, product }) => {
  const page = await openAs('admin');
  const other = await page.context().newPage();
  await inWhole(async () => {
    const { name, phone } = await addContact(page);
    await writeDraft(page, name);
    await other.goto('/dashboard/bulk-message');
    await expect(send(other)).toBeVisible();
    await pressSend(page);
    await expect(page.getByText('Bulk message sent successfully to 1 contacts!')).toHaveCount(1);
    await expect(other.getByText('This draft was sent from another tab, so it is empty here.')).toBeVisible();
    await expect(send(other)).toHaveCount(0);
    await expect.poll(() => countMessages(product, phone)).toBe(1);
  });

  // Also when both press before either hears of the other.
  const { name, phone } = await addContact(page);
  await writeDraft(page, name);
  await other.goto('/dashboard/bulk-message');
  await expect(other.getByText('1 person will get this message')).toBeVisible();
  const bothAsk = Promise.withResolvers<void>();
  let asking = 0;
  for (const tab of [page, other])
    await tab.route('**/api/rpc/bulkMessage/send', async (route) => {
      asking += 1;
      if (asking === 2) bothAsk.resolve();
      await bothAsk.promise;
      await route.continue();
    });
  await pressSend(page);
  await pressSend(other);
  for (const tab of [page, other])
    await expect(tab.getByRole('heading', { name: 'Select Contacts' })).toBeVisible();
  await page.getByRole('link', { name: 'View campaign' }).click();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  expect(await countMessages(product, phone)).toBe(1);
});

test(
  'a campaign whose answer was lost is one campaign, whatever is changed before the next try',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    const { name: person } = await addContact(page);
    const name = `${person} campaign`;
    const dialog = await createWithoutAnswer(page, name, person);

    await dialog.getByLabel('Campaign Name *').fill(`${name} 2`);
    await dialog.getByRole('button', { name: 'Create Campaign' }).click();
    await dialog.getByRole('button', { name: 'Go on with that campaign' }).click();
    await expect(dialog.getByLabel('Campaign Name *')).toHaveValue(`${name} 2`);
    await dialog.getByRole('button', { name: 'Update Campaign' }).click();
    await expect(dialog).toBeHidden();
    const answer = await page.request.get(`/api/campaigns?search=${encodeURIComponent(name)}`);
    const { items } = (await answer.json()) as { items: { name: string }[] };
    expect(items.map((campaign) => campaign.name)).toEqual([`${name} 2`]);
  },
);

test(
  'a new campaign whose answer was lost is one campaign also after a reload',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    const { name: person } = await addContact(page);
    const name = `${person} once`;
    const dialog = await createWithoutAnswer(page, name, person);

    await page.reload();
    await expect(dialog.getByText(/it is unknown whether the campaign was saved/)).toBeVisible();
    await expect(dialog.getByLabel('Campaign Name *')).toHaveValue(name);
    await dialog.getByRole('button', { name: 'Create Campaign' }).click();
    await expect(dialog).toBeHidden();
    const answer = await page.request.get(`/api/campaigns?search=${encodeURIComponent(name)}`);
    const { items } = (await answer.json()) as { items: { name: string }[] };
    expect(items.map((campaign) => campaign.name)).toEqual([name]);

    // The next one is a campaign of its own.
    await page.goto('/dashboard/campaigns?form=new');
    await expect(dialog.getByLabel('Campaign Name *')).toHaveValue('');
  },
);
