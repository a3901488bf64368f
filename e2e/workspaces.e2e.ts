import type { Browser, BrowserContext, Page } from '@playwright/test';
import { actKey, callSandbox, expect, expectFitsEverywhere, inWhole, test, WHOLE } from './journey.ts';
import type { Product } from './run-product.ts';

// Whoever is a member no more is refused, and without a connection nothing is loaded: browsers note both.
test.use({ isFirstVisit: true, allowedConsole: [/status of 40[134]/, /net::ERR_/] });

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DATE = '12025550';

const switchOf = (page: Page) => page.getByRole('button', { name: /^Workspace / });
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Somebody who is invited to the sample and joins, in a window of their own. */
async function join(browser: Browser, product: Product, admin: Page, name: string): Promise<Page> {
  const email = `${name.toLowerCase()}@real.example`;
  const data = { email, role: 'admin' };
  const invited = await admin.request.post('/api/invitations', { data, headers: actKey() });
  expect(invited.ok()).toBe(true);
  const readToken = async () => {
    const { mails } = await callSandbox<{ mails: object[] }>(product, '/_sandbox/mail');
    const mail = mails.map((one) => JSON.stringify(one)).find((text) => text.includes(email)) ?? '';
    return /invitation\?token=([\w%.-]+)/.exec(mail)?.[1] ?? '';
  };
  await expect.poll(readToken).not.toBe('');
  const context = await browser.newContext({ baseURL: product.url });
  const answer = await context.request.post('/api/auth/accept-invitation', {
    data: {
      token: await readToken(),
      firstName: name,
      lastName: 'Moreau',
      password: 'Welcome123',
      confirmPassword: 'Welcome123',
    },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return context.newPage();
}

async function addContact(page: Page, name: string, number: string): Promise<void> {
  await page.goto('/dashboard/contacts?dialog=new');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Phone').fill(`+${DATE}${number}`);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(rowOf(page, name)).toBeVisible();
}

async function isDrawn(page: Page, picture: string): Promise<void> {
  await expect
    .poll(() =>
      page
        .locator(picture)
        .first()
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBeGreaterThan(0);
}

async function openSecond(page: Page): Promise<string> {
  await page.goto('/dashboard');
  await switchOf(page).click();
  const menu = page.getByRole('dialog');
  await expect(menu.getByRole('list', { name: 'Workspaces' }).getByRole('link')).toHaveCount(1);
  await expectFitsEverywhere(page, 'workspaces-menu');
  await menu.getByRole('button', { name: 'Create a workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a workspace' });
  await expect(dialog.getByRole('button', { name: 'Create' })).toBeDisabled();
  await dialog.getByLabel('Name of the business').fill('Second  Shop');
  await inWhole(() => expectFitsEverywhere(page, 'workspaces-create'));
  await dialog.getByRole('button', { name: 'Create' }).dblclick();
  await page.waitForURL(/settings\?tab=api$/);
  await expect(switchOf(page)).toHaveText('Second Shop');
  const { workspaces } = await (await page.request.get('/api/workspaces')).json();
  expect(workspaces).toHaveLength(2);
  return workspaces.find(({ name }: { name: string }) => name === 'Second Shop').workspaceId;
}

async function inTabs(context: BrowserContext, first: Page): Promise<Page> {
  const tab = await context.newPage();
  // A new tab is where the last one was.
  await tab.goto('/dashboard');
  await expect(switchOf(tab)).toHaveText('Second Shop');
  await switchOf(tab).click();
  await tab
    .getByRole('dialog')
    .getByRole('link', { name: /^(?!Second).*Admin/ })
    .click();
  await expect(switchOf(tab)).not.toHaveText('Second Shop');
  await expect(tab).toHaveURL(/\/dashboard$/);
  await expect(switchOf(first)).toHaveText('Second Shop');
  return tab;
}

test(
  'somebody works in two workspaces in two tabs, and each tab has its own',
  WHOLE,
  async ({ browser, openAs, product }) => {
    const admin = await openAs('admin');
    const second = await join(browser, product, admin, 'Grace');
    const context = second.context();
    const secondId = await openSecond(second);
    const first = await inTabs(context, second);

    await test.step('each writes, reads and hears its own', async () => {
      await addContact(first, 'Of The First', '101');
      await addContact(second, 'Of The Second', '102');
      await expect(rowOf(second, 'Of The First')).toHaveCount(0);
      await expect(rowOf(first, 'Of The Second')).toHaveCount(0);
      await expect(second.getByText('Real-time Updates Active')).toBeVisible();
      await expect(first.getByText('Real-time Updates Active')).toBeVisible();
      const told = await context.request.post('/api/contacts', {
        data: { name: 'Told Of', phone: `+${DATE}103` },
        headers: { ...actKey(), 'x-workspace': secondId },
      });
      expect(told.ok()).toBe(true);
      await expect(rowOf(second, 'Told Of')).toBeVisible();
      await expect(rowOf(first, 'Told Of')).toHaveCount(0);
    });

    await test.step('pictures and files load in both', async () => {
      const picture = { data: Buffer.from(PIXEL, 'base64'), headers: { 'content-type': 'image/png' } };
      expect((await context.request.post('/api/profile/avatar', picture)).ok()).toBe(true);
      for (const tab of [first, second]) {
        await tab.reload();
        await isDrawn(tab, '#sidebar img[src^="/api/avatars/"]');
      }
      // Its picture is nowhere else, and without its name the server looks elsewhere.
      const there = { 'x-workspace': secondId };
      const drawn = await context.request.post('/api/settings/logo?fit=whole', {
        data: await second.screenshot({ clip: { x: 0, y: 0, width: 300, height: 300 } }),
        headers: { ...picture.headers, ...there },
      });
      const { logo } = await drawn.json();
      const { version, ...general } = await (
        await context.request.get('/api/settings/general', { headers: there })
      ).json();
      const saved = await context.request.put('/api/settings/general', {
        data: { ...general, logo, version },
        headers: { ...actKey(), ...there },
      });
      expect(saved.ok(), await saved.text()).toBe(true);
      await second.goto('/dashboard');
      await isDrawn(second, '#sidebar img[src^="/api/logos/"]');
    });

    await test.step('a reload stays, and each has a copy of its own on the device', async () => {
      for (const tab of [first, second]) await tab.goto('/dashboard/contacts');
      await first.reload();
      await expect(rowOf(first, 'Of The First')).toBeVisible();
      await second.reload();
      await expect(rowOf(second, 'Of The Second')).toBeVisible();
      const kept = (page: Page) =>
        page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('offline.session.')));
      expect(await kept(first)).toHaveLength(2);
    });

    await test.step('the palette and the menu lead from one to the other', async () => {
      await second.keyboard.press('Control+k');
      await second.getByRole('combobox', { name: 'Command palette' }).fill('switch to');
      await second.getByRole('option', { name: /^Switch to/ }).click();
      await expect(switchOf(second)).not.toHaveText('Second Shop');
      await switchOf(second).click();
      await expect(second.getByRole('link', { name: /^Second Shop/ })).toBeVisible();
      // Keys count once the menu has the focus, which comes a moment after its entries.
      await expect(async () => {
        await second.keyboard.type('seco');
        await expect(second.getByRole('link', { name: /^Second Shop/ })).toBeFocused({ timeout: 2_000 });
      }).toPass();
      await second.keyboard.press('Enter');
      await expect(switchOf(second)).toHaveText('Second Shop');
    });

    await test.step('who is removed is told so, and goes on elsewhere', async () => {
      await first.goto('/dashboard/contacts');
      const { items } = await (await admin.request.get('/api/users?search=grace')).json();
      const removed = await admin.request.delete(`/api/users/${items[0].id}`, {
        data: {},
        headers: actKey(),
      });
      expect(removed.ok(), await removed.text()).toBe(true);
      await expect(first.getByRole('heading', { name: /You are no longer a member of/ })).toBeVisible();
      await expectFitsEverywhere(first, 'workspaces-lost');
      const keys = await first.evaluate(() => Object.keys(localStorage).join());
      expect(keys).toContain(secondId);
      await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
      await first.getByRole('link', { name: /^Second Shop/ }).click();
      await expect(switchOf(first)).toHaveText('Second Shop');
    });

    await test.step('the last admin cannot leave', async () => {
      await first.goto('/dashboard/profile');
      await first.getByRole('button', { name: 'Leave', exact: true }).click();
      await first.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
      await expect(first.getByText('You are its last admin.')).toBeVisible();
    });
    await context.close();
  },
);

test('somebody leaves a workspace for good', WHOLE, async ({ browser, openAs, product }) => {
  const page = await join(browser, product, await openAs('admin'), 'Hugo');
  await openSecond(page);
  await page.goto('/dashboard');
  await switchOf(page).click();
  await page
    .getByRole('dialog')
    .getByRole('link', { name: /^(?!Second).*Admin/ })
    .click();
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(switchOf(page)).toHaveText('Second Shop');
  await page.context().close();
});
