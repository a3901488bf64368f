import type { Page } from '@playwright/test';
import { expect, expectAccessible, keepPicture, test, WHOLE } from './journey.ts';

// The browser itself says when it has no connection and when the session is over.
const EXPECTED =
  /net::ERR_(INTERNET_DISCONNECTED|FAILED)|responded with a status of 401|The saved data cannot be read/;
test.use({ allowedConsole: [EXPECTED], isFirstVisit: true });

const pages = [
  { link: 'Contacts', text: 'ann.lee@example.com' },
  { link: 'Templates', text: 'Welcome Message' },
  { link: 'Campaigns', text: 'Welcome Campaign' },
] as const;

const openLink = (page: Page, name: string) =>
  page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(`^${name}`) })
    .click();

const readKept = (page: Page) =>
  page.evaluate(() =>
    Object.entries(localStorage)
      .filter(([key]) => key.startsWith('offline.'))
      .map(([key, value]) => `${key} ${value}`)
      .join('\n'),
  );

/** The pages that were not opened are loaded ahead, and all of them are saved. */
async function waitUntilKept(page: Page): Promise<void> {
  for (const path of ['"contacts","list"', '"templates","list"', '"campaigns","list"'])
    await expect.poll(() => readKept(page)).toContain(path);
}

test(
  'pages that were never opened are readable and searched without a connection',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard');
    await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
    await waitUntilKept(page);
    await page.context().setOffline(true);
    await expect(page.getByText(/offline/i).first()).toBeVisible();
    for (const { link, text } of pages)
      await test.step(link, async () => {
        await openLink(page, link);
        await expect(page.getByText(text).first()).toBeVisible();
        // The page before has a search of its own, and stands until this one can be painted.
        await expect(page.getByRole('heading', { name: link, level: 1 })).toBeVisible();
        const search = page.getByRole('searchbox').first();
        await search.fill(text.slice(0, 3));
        await expect(page.getByText(/kept on this device/)).toBeVisible();
        await expect(page.getByText(text).first()).toBeVisible();
        await keepPicture(page, `offline-${link.toLowerCase()}`);
        if (link === 'Contacts')
          for (const row of (await page.getByRole('row').allTextContents()).slice(1))
            expect(row.toLowerCase()).toContain('ann');
        await search.fill('nothing like it');
        await expect(page.getByText(text)).toHaveCount(0);
      });
    await openLink(page, 'Dashboard');
    await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText(/offline/i)).toHaveCount(0);
  },
);

test(
  'what is not on the device says so, and comes by itself with the connection',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/contacts');
    await waitUntilKept(page);
    await page.context().setOffline(true);
    await page.getByRole('row').filter({ hasText: 'ann.lee@example.com' }).click();
    const main = page.getByRole('main');
    await expect(main.getByText('This was not opened on this device yet.')).toBeVisible();
    await expect(page.getByText(/Unexpected Application Error|dynamically imported/)).toHaveCount(0);
    await expectAccessible(page, 'offline-page-to-come');
    // Another page that is here opens meanwhile.
    await openLink(page, 'Campaigns');
    await expect(page.getByText('Welcome Campaign').first()).toBeVisible();
    await page.goBack();
    await expect(main.getByText('This was not opened on this device yet.')).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByRole('heading', { name: 'Ann Lee', level: 1 })).toBeVisible();
    await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
  },
);

test(
  'a dialog that is not on the device says so and opens with the connection',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/contacts');
    await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
    // Popups come after the first paint: the menu is on the device before the connection goes.
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'Custom Fields' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menuitem')).toHaveCount(0);
    // Also the second time within a minute, as on a line that comes and goes.
    for (const [item, title] of [
      ['Custom Fields', 'Custom Fields'],
      ['Duplicates', 'Possible duplicates'],
    ] as const) {
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      const away = page.getByRole('dialog', { name: 'You are offline' });
      await expect(away).toContainText('It opens as soon as the connection is back.');
      await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
      await page.context().setOffline(false);
      await expect(page.getByRole('dialog', { name: title })).toBeVisible();
      await expect(away).toHaveCount(0);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  },
);

test('the next visit paints from the last one before the server answers, then reads anew', async ({
  openAs,
}) => {
  const page = await openAs('manager');
  await page.goto('/dashboard');
  await waitUntilKept(page);
  const kept = await readKept(page);
  expect(kept).not.toMatch(/token|secret|password/i);

  let release = () => {};
  const answers = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/rpc/**', async (route) => {
    await answers;
    await route.continue();
  });
  for (const { link, text } of [...pages, { link: '', text: 'Message Analytics' }]) {
    await page.goto(`/dashboard/${link.toLowerCase()}`);
    await expect(page.getByText(text).first()).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
  const overview = page.waitForResponse(/dashboard\/getOverview/);
  release();
  expect((await overview).ok()).toBe(true);
});

test.describe('with the files of the app kept', () => {
  test.use({ serviceWorkers: 'allow' });

  const readFiles = (page: Page) =>
    page.evaluate(async () => {
      const found: string[] = [];
      for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
      return found;
    });

  test(
    'the dashboard opens without a connection in a new tab, and nothing personal is kept',
    WHOLE,
    async ({ openAs }) => {
      const first = await openAs('admin');
      await first.goto('/dashboard');
      await waitUntilKept(first);
      await expect.poll(() => readFiles(first)).toContain('/theme.js');
      const context = first.context();
      await first.close();

      await context.setOffline(true);
      const page = await context.newPage();
      await page.goto('/dashboard/contacts');
      await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
      await openLink(page, 'Dashboard');
      await expect(page.getByRole('link', { name: 'Welcome Campaign', exact: true })).toBeVisible();
      // A tab that was opened without a network does not know it yet in every browser.
      await expect(page.getByText(/You are offline|Connection lost/).first()).toBeVisible();
      await keepPicture(page, 'offline-cold-start');

      await context.setOffline(false);
      await page.reload();
      await expect(page.getByText('Real-time Updates Active')).toBeVisible();
      await page.getByRole('button', { name: 'Sign Out' }).click();
      await expect(page).toHaveURL(/login/);
      expect(await readKept(page)).toBe('');
      for (const path of await readFiles(page))
        expect(path).toMatch(/^\/(assets\/[^?]+|theme\.js|icon\.svg|index\.html)$/);

      // Who is signed out finds a page of the product too, which goes on to the sign-in by itself.
      await context.setOffline(true);
      await page.goto('/login');
      await expect(page.getByText('You are offline').first()).toBeVisible();
      await context.setOffline(false);
      await expect(page).toHaveURL(/login/);
    },
  );

  test('a new build replaces the files of the one before', WHOLE, async ({ openAs, product }) => {
    const page = await openAs('viewer');
    await page.goto('/dashboard');
    await expect.poll(() => readFiles(page)).toContain('/theme.js');
    const isFirst = await page.evaluate(async () => {
      const cache = await caches.open('app-files');
      await cache.put('/assets/of-an-older-build.js', new Response('old'));
      await cache.put('/index.html', new Response('<title>The build before</title>'));
      return Boolean(await cache.match('/assets/of-an-older-build.js'));
    });
    expect(isFirst).toBe(true);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    expect(await readFiles(page)).not.toContain('/assets/of-an-older-build.js');
    const kept = await page.evaluate(async () => (await caches.match('/index.html'))?.text());
    expect(kept).toBe(await (await fetch(`${product.url}/index.html`)).text());
  });
});

test('damaged data is named in the console and the page comes from the server', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/contacts');
  await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
  await page.evaluate(() =>
    addEventListener('pagehide', () => {
      for (const key of Object.keys(localStorage))
        if (key.startsWith('offline.data')) localStorage.setItem(key, '{"own');
    }),
  );
  const complaint = page.waitForEvent('console', (message) =>
    message.text().includes('The saved data cannot be read'),
  );
  await page.reload();
  await complaint;
  await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
});

test('a session that ends leaves nothing in the browser', WHOLE, async ({ openAs }) => {
  const page = await openAs('viewer');
  await page.goto('/dashboard/contacts');
  await expect.poll(() => readKept(page)).toContain('ann.lee@example.com');
  // Away from the page, which would hear of the end by what it reads ahead, and say so before it is loaded anew.
  await page.goto('about:blank');
  const cookies = (await page.context().cookies()).filter(({ name }) => name !== 'signed-in');
  for (const { name } of cookies) await page.context().clearCookies({ name });
  await page.goto('/dashboard/contacts');
  await expect(page).toHaveURL(/login/);
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  expect(await readKept(page)).toBe('');
});
