import type { Page } from '@playwright/test';
import { callSandbox, expect, expectFitsEverywhere, keepPicture, test, WHOLE } from './journey.ts';

/** Somebody writes; it stands in the list once the product has it. */
async function write(
  page: Page,
  product: Parameters<typeof callSandbox>[0],
  from: string,
  name: string,
  text: string,
) {
  await callSandbox(product, '/_sandbox/whatsapp/inbound', { from, name, text });
  await expect
    .poll(async () => {
      const { items } = (await (await page.request.get('/api/conversations')).json()) as {
        items: { contact: { name: string } }[];
      };
      return items.some(({ contact }) => contact.name === name);
    })
    .toBe(true);
}

test(
  'the list: tabs, search in messages, keys, acts on many with the way back',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    await write(page, product, '14155550171', 'Ada Quist', 'Qual é o preço da entrega?');
    await write(page, product, '14155550172', 'Bo Larsen', 'Is my parcel on its way?');
    await write(page, product, '14155550173', 'مريم حسن 🌸🌸🌸', 'مرحبا، متى يصل الطلب؟');
    await page.goto('/dashboard/inbox');
    const list = page.getByRole('list', { name: 'Conversations' });
    const row = (name: string) => list.getByRole('link', { name: new RegExp(`^${name}`) });
    await expect(row('Bo Larsen')).toHaveAccessibleName(/1 unread message, Is my parcel on its way\?/);

    // What is written stands in the list at once, though no chat is open, and is told.
    await callSandbox(product, '/_sandbox/whatsapp/inbound', {
      ...{ from: '14155550173', name: 'مريم حسن 🌸🌸🌸', text: 'هل وصل؟' },
    });
    await expect(row('مريم')).toHaveAccessibleName(/2 unread messages, هل وصل؟/);
    await expect(page.getByRole('status').filter({ hasText: 'New message from مريم' })).toBeAttached();

    // Keys lead through the list, and open what they come to.
    await page.keyboard.press('j'); // the one that the sample has pinned
    await expect(page).toHaveURL(/\/inbox\/[0-9a-f-]{36}/);
    await page.keyboard.press('j');
    await expect(page.getByRole('heading', { level: 2, name: /مريم/ })).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByRole('heading', { level: 2, name: 'Bo Larsen' })).toBeVisible();
    await page.keyboard.press('p');
    await expect(row('Bo Larsen')).toHaveAccessibleName(/Pinned/);
    await expect(list.getByRole('link').first()).toHaveAccessibleName(/^Bo Larsen/);
    await keepPicture(page, 'inbox-list-open');
    await page.keyboard.press('Shift+?');
    await expect(
      page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next conversation'),
    ).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);

    // Words of messages, whatever their accents.
    await page.keyboard.press('/');
    await page.keyboard.type('preco ent');
    const found = page.getByRole('region', { name: 'Found messages' });
    await expect(found.getByText('preço', { exact: true })).toBeVisible();
    await keepPicture(page, 'inbox-list-search');
    await found.getByRole('link', { name: /Ada Quist/ }).click();
    await expect(page).toHaveURL(/message=[0-9a-f-]{36}/);
    await expect(page.getByRole('heading', { level: 2, name: 'Ada Quist' })).toBeVisible();
    await page.getByRole('searchbox').fill('');

    // Two are archived at once, and come back.
    await page.getByRole('checkbox', { name: 'Select Ada Quist' }).check();
    await page.getByRole('checkbox', { name: 'Select Bo Larsen' }).check();
    const bar = page.getByRole('toolbar', { name: '2 selected' });
    await keepPicture(page, 'inbox-list-bulk');
    await bar.getByRole('button', { name: 'Archive' }).click();
    // It goes after some seconds, unless it has the focus.
    const undo = page.getByRole('button', { name: 'Undo' }).first();
    await undo.focus();
    await expect(row('Bo Larsen')).toHaveCount(0);
    await undo.press('Enter');
    await expect(row('Bo Larsen')).toBeVisible();
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await expect(row('Bo Larsen')).toHaveCount(0);
    await expect(page.getByText('The archive is empty')).toBeVisible();
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect(row('Ada Quist')).toBeVisible();

    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/dashboard\/inbox(\?|$)/);

    // A view keeps what the list shows, says when it shows something else, and leads back.
    await page.getByRole('button', { name: 'Pinned', exact: true }).click();
    await expect(row('Ada Quist')).toHaveCount(0);
    await page.keyboard.press('v');
    await page.getByRole('menuitem', { name: 'Save view' }).click();
    const form = page.getByRole('dialog', { name: 'Save view' });
    await expect(form.getByRole('textbox', { name: 'Name' })).toBeFocused();
    await page.keyboard.type('Kept for later');
    await form.getByRole('checkbox', { name: 'For everybody' }).check();
    await keepPicture(page, 'inbox-list-view-form');
    await form.getByRole('button', { name: 'Save' }).click();
    const view = page.getByRole('group', { name: 'View Kept for later' });
    await expect(view).toBeVisible();
    await expect(view.getByText('Changed')).toHaveCount(0);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await expect(view.getByText('Changed')).toBeVisible();
    await expect(row('Ada Quist')).toBeVisible();
    await page.keyboard.press('v');
    await expect(page.getByRole('menuitem', { name: 'Save changes to the view' })).toBeVisible();
    await keepPicture(page, 'inbox-list-views');
    await page.getByRole('menuitem', { name: /^Kept for later/ }).press('Enter');
    await expect(view.getByText('Changed')).toHaveCount(0);
    await expect(row('Ada Quist')).toHaveCount(0);
    await expectFitsEverywhere(page, 'inbox-list');
  },
);
