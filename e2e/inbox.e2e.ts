import type { Browser, Locator, Page } from '@playwright/test';
import { findViolations } from './find-violations.ts';
import { callSandbox, expect, keepPicture, test, WHOLE } from './journey.ts';
import type { Product } from './run-product.ts';

const CUSTOMER = '447700900222';
const NAME = 'Nadia Rahman';

/** The customer's phone on the sandbox's page, in a browser of its own. */
async function takePhone(browser: Browser, product: Product, user: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: 'en-US', timezoneId: 'UTC' })).newPage();
  await page.goto(`${product.sandboxUrl}/#phones:${user}`);
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible();
  return page;
}

const write = async (phone: Page, text: string) => {
  await phone.getByRole('textbox', { name: 'Message' }).fill(text);
  await phone.keyboard.press('Enter');
};

const send = async (phone: Page, what: string) => {
  await phone.getByRole('button', { name: 'Send something else' }).click();
  await phone.getByRole('button', { name: what, exact: true }).click();
};

const bubbleOf = (phone: Page, text: string | RegExp) =>
  phone.getByRole('listitem').filter({ hasText: text }).last();

/** What can be done with a message on the phone. */
const withMessage = async (phone: Page, text: string, act: string) => {
  await bubbleOf(phone, text).getByRole('button', { name: 'Answer, react and more' }).click();
  await phone.getByRole('button', { name: act, exact: true }).click();
};

const rowOf = (page: Page, name = NAME) => page.getByRole('link', { name: new RegExp(`^${name}`) });
const messageOf = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('article', { name: text }).last();
const fieldOf = (page: Page, name = NAME) =>
  page
    .getByRole('textbox', { name: `Message to ${name}` })
    .or(page.getByRole('combobox', { name: `Message to ${name}` }));

/** Everything arrives quickly, and is read when somebody looks at it. */
async function calm(product: Product): Promise<void> {
  await callSandbox(product, '/_sandbox/whatsapp/behaviour', {
    statusDelayMs: 30,
    deliveredRate: 1,
    readRate: 0,
  });
}

test('two agents and a customer: what is written, read, assigned, noted and resolved shows everywhere', async ({
  openAs,
  browser,
  product,
}) => {
  await calm(product);
  const [agent, manager] = [await openAs('agent'), await openAs('manager')];
  await Promise.all([agent.goto('/dashboard/inbox'), manager.goto('/dashboard/inbox')]);
  await expect(rowOf(agent, 'Ann Lee')).toBeVisible();
  await expect(rowOf(manager, 'Ann Lee')).toBeVisible();
  await callSandbox(product, `/_sandbox/whatsapp/users/${CUSTOMER}/profile`, { name: NAME });
  const phone = await takePhone(browser, product, CUSTOMER);

  // Both see who writes, without doing anything.
  await write(phone, 'Is my order on its way?');
  await expect(rowOf(agent)).toHaveAccessibleName(/1 unread message/);
  await expect(rowOf(manager)).toHaveAccessibleName(/1 unread message.*Is my order on its way/);

  // One takes it, the other sees who has it.
  await rowOf(agent).click();
  await expect(messageOf(agent, /Is my order on its way/)).toBeVisible();
  await agent.getByRole('button', { name: 'Assign', exact: true }).click();
  await agent.getByRole('option', { name: /Assign to me/ }).click();
  await expect(rowOf(manager)).toHaveAccessibleName(/Assigned to Ayla Kaya/);

  // An answer arrives, is read by the customer, and its ticks say so to both.
  await rowOf(manager).click();
  await fieldOf(agent).fill('It left *this morning*.');
  await fieldOf(agent).press('Enter');
  await expect(bubbleOf(phone, 'It left this morning.')).toBeVisible();
  for (const page of [agent, manager]) await expect(messageOf(page, /It left.*Read$/)).toBeVisible();

  // What the customer changes stands in its place.
  await withMessage(phone, 'It left this morning.', 'React with 👍');
  await expect(messageOf(manager, /It left/).getByText('👍')).toBeVisible();
  await withMessage(phone, 'Is my order on its way?', 'Edit…');
  await phone.getByRole('textbox', { name: 'Text' }).fill('Is my order A-17 on its way?');
  await phone.getByRole('button', { name: 'Save' }).click();
  await expect(messageOf(agent, /order A-17/).getByText('Edited')).toBeVisible();
  await write(phone, 'Wrong chat, sorry');
  await expect(messageOf(agent, /Wrong chat/)).toBeVisible();
  await withMessage(phone, 'Wrong chat, sorry', 'Delete');
  await expect(messageOf(agent, /This message was deleted/)).toBeVisible();

  // A picture is shown, a document can be fetched.
  await send(phone, 'Photo');
  await expect(agent.getByRole('button', { name: 'Open: The view from here' })).toBeVisible();
  await send(phone, 'Document');
  const download = agent.waitForEvent('download');
  await messageOf(agent, /Order A-1042/)
    .getByRole('link', { name: /Download/ })
    .click();
  expect((await download).suggestedFilename()).toBe('Order A-1042.pdf');
  await keepPicture(phone, 'inbox-phone');
  expect(await findViolations(phone, 'all')).toEqual([]);

  // A note calls a colleague, and the customer sees nothing of it.
  await agent.getByRole('tab', { name: 'Note' }).click();
  const note = agent.getByRole('textbox', { name: 'Note for colleagues' });
  await note.pressSequentially('@Mateo');
  await agent.getByRole('option', { name: /Mateo Silva/ }).click();
  await agent.keyboard.type('please call them');
  await agent.getByRole('button', { name: 'Add note' }).click();
  await expect(manager.getByText('please call them')).toBeVisible();
  await expect(manager.getByRole('button', { name: '1 unread notification' })).toBeVisible();
  await expect(phone.getByText('please call them')).toHaveCount(0);

  // Resolved is over until the customer writes again.
  await agent.getByRole('button', { name: 'Resolve' }).click();
  await expect(rowOf(manager)).toHaveAccessibleName(/Resolved/);
  await write(phone, 'One more thing');
  await expect(rowOf(manager)).not.toHaveAccessibleName(/Resolved/);
  await phone.context().close();
});

test(
  'by keyboard alone a conversation is found, answered and resolved',
  WHOLE,
  async ({ openAs, product }) => {
    await calm(product);
    const from = '447700900223';
    await callSandbox(product, '/_sandbox/whatsapp/inbound', { from, name: 'Omar Haddad', text: 'مرحبا' });
    const page = await openAs('agent');
    await page.goto('/dashboard/inbox');
    await expect(rowOf(page, 'Omar Haddad')).toBeVisible();
    // Who is pinned stands first.
    await page.keyboard.press('j');
    await expect(page.getByRole('heading', { name: 'Ann Lee', level: 2 })).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('heading', { name: 'Omar Haddad', level: 2 })).toBeVisible();
    // A key that comes before the conversation has opened is not lost.
    await page.keyboard.press('r');
    const field = fieldOf(page, 'Omar Haddad');
    await expect(field).toBeFocused();
    await expect(messageOf(page, /مرحبا/)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await expect(page.getByRole('textbox', { name: 'Note for colleagues' })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(field).toBeFocused();
    await page.keyboard.press('Escape');
    await page.keyboard.press('n');
    await page.getByRole('tab', { name: 'Note' }).focus();
    await page.keyboard.press('s');
    await expect(page.getByRole('dialog', { name: 'Send Omar Haddad a template' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(field).toBeFocused();
    await page.keyboard.type('أهلا عمر');
    await page.keyboard.press('Enter');
    await expect(messageOf(page, /أهلا عمر/)).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('e');
    await expect(rowOf(page, 'Omar Haddad')).toHaveAccessibleName(/Resolved/);
  },
);

test('a closed window leaves templates, and a viewer reads only', WHOLE, async ({ openAs }) => {
  const [agent, viewer] = [await openAs('agent'), await openAs('viewer')];
  await agent.goto('/dashboard/inbox');
  await rowOf(agent, 'Ben Osei').click();
  await expect(agent.getByText(/The 24-hour window is closed/)).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Choose a template' })).toBeVisible();
  await expect(messageOf(agent, /My last order/)).toBeVisible();
  await viewer.goto('/dashboard/inbox');
  await rowOf(viewer, 'Ann Lee').click();
  await expect(messageOf(viewer, /could it be here by Friday/)).toBeVisible();
  await expect(viewer.getByText('You can read this conversation.')).toBeVisible();
  for (const name of ['Send', 'Resolve', 'Assign', 'Edit labels'])
    await expect(viewer.getByRole('button', { name, exact: true })).toHaveCount(0);
  expect(await findViolations(viewer, 'all')).toEqual([]);
});
