import type { ElementHandle, Locator, Page } from '@playwright/test';
import {
  actKey,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  keepPicture,
  test,
  WHOLE,
  inWhole,
} from './journey.ts';

const shortAddresses = [
  'inbox',
  'chatbot',
  'contacts',
  'templates',
  'campaigns',
  'bulk-message',
  'automation',
  'integrations',
  'rcs',
  'analytics',
  'settings',
  'users',
  'profile',
];
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });

/** Presses Enter once it means this entry: what was typed may still be on its way. */
async function chooseByEnter(page: Page, name: string): Promise<void> {
  await expect(palette(page).getByRole('option', { name })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
}

async function openPalette(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page).getByRole('combobox')).toBeFocused();
  await page.keyboard.type(typed);
}

test('a short address leads to its page under /dashboard and keeps its query', WHOLE, async ({ openAs }) => {
  await expectToLead(await openAs('admin'), ['bulk-message', 'rcs'], ['login']);
});

test('so does every other', WHOLE, async ({ openAs }) => {
  await expectToLead(await openAs('admin'), shortAddresses, ['login', 'register']);
});

async function expectToLead(page: Page, short: string[], ofStrangers: string[]): Promise<void> {
  for (const name of short) {
    await page.goto(`/${name}?search=ann`);
    await expect(page).toHaveURL(new RegExp(`/dashboard/${name}\\?search=ann`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  for (const name of ofStrangers) {
    await page.goto(`/${name}`);
    await expect(page).toHaveURL(/\/dashboard$/);
  }
}

test('a stranger signs in and arrives at the page that was asked for', WHOLE, async ({ page }) => {
  await page.goto('/contacts?status=blocked');
  await expect(page).toHaveURL(/\/login\?redirect=/);
  await page.getByLabel('Email').fill('manager@example.com');
  await page.getByLabel('Password', { exact: true }).fill('Welcome123');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/contacts\?status=blocked/);
  await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();
});

test('a viewer meets Access Denied and is not offered what the role may not do', async ({ openAs }) => {
  const page = await openAs('viewer');
  const expectDenied = async (addresses: string[]) => {
    for (const address of addresses) {
      await page.goto(`/dashboard/${address}`);
      await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
      const text = address === 'users' ? 'view user management' : 'access this page';
      await expect(page.getByText(`You don't have permission to ${text}.`)).toBeVisible();
    }
  };
  await inWhole(() => expectDenied(['bulk-message', 'campaigns?form=new', 'templates?dialog=new']));
  await expectDenied(['users', 'contacts?dialog=segment']);
  const navigation = page.getByRole('navigation');
  await expect(navigation.getByRole('link', { name: 'Contacts' })).toBeVisible();
  for (const name of ['Bulk Message', 'User Management', 'Settings'])
    await expect(navigation.getByRole('link', { name })).toHaveCount(0);
  await openPalette(page, 'contact');
  await expect(palette(page).getByRole('option', { name: 'Contacts', exact: true })).toBeVisible();
  await expect(palette(page).getByRole('option', { name: 'Add a contact' })).toHaveCount(0);
  await keepPicture(page, 'shell-palette-viewer');
});

test(
  'the palette finds people, templates and campaigns and runs actions by keyboard',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();

    await openPalette(page, 'ann lee');
    await chooseByEnter(page, 'Ann Lee');
    await expect(page).toHaveURL(/\/dashboard\/contacts\/[0-9a-f-]{36}/);
    await expect(page.getByRole('heading', { name: 'Ann Lee' })).toBeVisible();

    await openPalette(page, 'welcome');
    await expect(palette(page).getByRole('option', { name: 'Welcome Message' })).toBeVisible();
    await expect(palette(page).getByRole('option', { name: 'Welcome Campaign' })).toBeVisible();
    await expectAccessible(page, 'shell-palette');
    // Answers that arrive late move the choice back to the first entry.
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(palette(page).getByRole('option', { name: 'Welcome Campaign' })).toHaveAttribute(
        'aria-selected',
        'true',
        { timeout: 500 },
      );
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard\/campaigns\/[0-9a-f-]{36}/);

    await openPalette(page, 'add a con');
    await chooseByEnter(page, 'Add a contact');
    await expect(page).toHaveURL(/\/dashboard\/contacts\?dialog=new/);
    await expect(page.getByRole('dialog', { name: 'Add Contact' })).toBeVisible();
    // The palette may still be fading away and take the first Escape for itself.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0, { timeout: 1_000 });
    }).toPass();

    await openPalette(page, 'no such thing');
    await expect(palette(page).getByText('Nothing matches.')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(palette(page)).toHaveCount(0);
  },
);

test(
  'the theme switches from the palette and stays after a reload; ? lists the keys',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('agent');
    await page.goto('/dashboard/chatbot');
    await expect(page.getByRole('link', { name: /Ben Osei/ })).toBeVisible();
    await openPalette(page, 'dark');
    await chooseByEnter(page, 'Use the dark theme');
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expect(page.getByRole('link', { name: /Ben Osei/ })).toBeVisible();
    await page.keyboard.press('Shift+?');
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

test(
  'the drawer of a telephone keeps the focus, closes after navigation and gives the focus back',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager', { width: 360 });
    await page.goto('/dashboard');
    const menu = page.getByRole('button', { name: 'Open menu' });
    const sidebar = page.locator('#sidebar');
    await menu.click();
    await expect(sidebar.getByRole('button', { name: 'Close menu' })).toBeVisible();
    for (let press = 0; press < 30; press += 1) {
      await page.keyboard.press('Tab');
      const isOutside = await page.evaluate(
        () => document.activeElement !== document.body && !document.activeElement?.closest('#sidebar'),
      );
      expect(isOutside, `focus left the drawer after ${press + 1} presses`).toBe(false);
    }
    await expectAccessible(page, 'shell-drawer-360');
    await page.keyboard.press('Escape');
    await expect(menu).toBeFocused();
    await menu.click();
    await sidebar.getByRole('link', { name: 'Templates' }).click();
    await expect(page).toHaveURL(/\/dashboard\/templates/);
    await expect(sidebar).toHaveAttribute('inert');
    await menu.click();
    // Beside the drawer lies the overlay.
    await page.mouse.click(345, 400);
    await expect(sidebar).toHaveAttribute('inert');
  },
);

for (const width of [1280, 360]) {
  test(
    `what comes later lies over the rest, and no notification over a button, at ${width} px`,
    WHOLE,
    async ({ openAs }) => {
      const page = await openAs('admin', { width });
      await page.goto('/dashboard/contacts');
      await expect(page.getByText('Ann Lee').first()).toBeVisible();
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
      const notification = page.getByText('Contacts exported successfully!');
      await expect(notification).toBeVisible();
      if (width < 400) {
        expect(await isOnTop(page, page.getByRole('button', { name: 'Add Contact' }))).toBe(true);
        await page
          .getByPlaceholder(/^Search/)
          .first()
          .click();
        await expect(notification).toBeHidden({ timeout: 12_000 });
        await page.getByRole('button', { name: 'Export' }).click();
        await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
      }
      // While the pointer is over it, it stays.
      await page.locator('[data-notifications]').getByRole('button', { name: 'Close' }).hover();
      await page.evaluate(() => document.querySelector<HTMLElement>('[data-variant=primary]')?.click());
      const dialog = page.getByRole('dialog', { name: 'Add Contact' });
      const save = dialog.getByRole('button', { name: 'Save' });
      await expect(save).toBeVisible();
      await settle(page);
      await expect(notification).toBeVisible();
      await keepPicture(page, `layers-dialog-${width}`);
      expect(await isOnTop(page, save)).toBe(true);
      if (width > 1000) expect(await isOnTop(page, page.getByText('Sign Out'))).toBe(false);

      await dialog.getByLabel('Name').fill('Somebody');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('alertdialog')).toBeVisible();
      await settle(page);
      await keepPicture(page, `layers-question-${width}`);
      expect(await isOnTop(page, page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }))).toBe(
        true,
      );
      expect(await isOnTop(page, page.getByText('Add Contact', { exact: true }).last())).toBe(false);
    },
  );
}

async function settle(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  );
}

/** Whether a press in the middle of it would meet it. */
async function isOnTop(page: Page, target: Locator): Promise<boolean> {
  const box = await target.boundingBox();
  if (!box) return false;
  const element = await target.elementHandle();
  return page.evaluate(
    ([x, y, wanted]) => {
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (wanted.contains(hit) || hit.contains(wanted)) && hit !== document.body;
    },
    [box.x + box.width / 2, box.y + box.height / 2, element as ElementHandle<Element>] as const,
  );
}

test('the skip link leads past the sidebar', WHOLE, async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/chatbot');
  await expect(page.getByRole('link', { name: /Ben Osei/ })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.locator('#content')).toBeFocused();
});

test.describe('a page that breaks', () => {
  test.use({ allowedConsole: [/a page that cannot be drawn/] });

  test('says so with the error itself, and the rest of the dashboard goes on', WHOLE, async ({ openAs }) => {
    const page = await openAs('admin');
    // Whatever the module is asked for, it throws when it is drawn.
    await page.route('**/assets/templates-page-*.js', async (route) => {
      const source = await (await route.fetch()).text();
      const names = /export\s*\{([^}]+)\}/.exec(source)?.[1] ?? '';
      const exported = names.split(',').map((name) =>
        name
          .trim()
          .split(/\s+as\s+/)
          .at(-1),
      );
      await route.fulfill({
        contentType: 'text/javascript',
        body: `const Page = () => { throw new Error('a page that cannot be drawn'); };
          export { ${exported.map((name) => `Page as ${name}`).join(', ')} };`,
      });
    });
    await page.goto('/dashboard/templates');
    await expect(page.getByRole('heading', { name: 'Unexpected Application Error!' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText('a page that cannot be drawn');
    await expect(page).toHaveTitle(/^Unexpected Application Error!/);
    await expectAccessible(page, 'shell-unexpected-error');
    await page.getByRole('navigation').getByRole('link', { name: 'Campaigns' }).click();
    await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
  });
});

test.describe('after the end of the session', () => {
  // A request that was on its way is refused, which every browser notes in its console.
  test.use({ allowedConsole: [/responded with a status of 401/] });

  test('signing out from the palette leaves nothing in local storage', WHOLE, async ({ openAs }) => {
    const page = await openAs('agent');
    await page.goto('/dashboard/contacts');
    await expect(page.getByText('ann.lee@example.com').first()).toBeVisible();
    await openPalette(page, 'sign out');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/login/);
    // The last one says that nothing is kept of what somebody was writing.
    const settings = ['theme', 'locale', 'signed-out'];
    expect(
      (await page.evaluate(() => Object.keys(localStorage))).filter((key) => !settings.includes(key)),
    ).toEqual([]);
  });
});

test('shell and pages to come are accessible and fit a zoom of 200 %', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/chatbot');
  await expect(page.getByRole('link', { name: /Ben Osei/ })).toBeVisible();
  await expect(page.getByText('All Systems Operational')).toBeVisible();
  await expectAccessible(page, 'shell');
  await page.setViewportSize({ width: 640, height: 430 });
  const expectRoom = async (addresses: string[]) => {
    for (const address of addresses) {
      await page.goto(`/dashboard${address}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByRole('status', { name: 'Loading...' })).toHaveCount(0);
      await expectNoSidewaysScroll(page);
    }
  };
  await expectRoom(['/contacts', '/inbox']);
  await inWhole(() => expectRoom(['/campaigns', '/bulk-message']));
  await inWhole(() => expectAccessible(page, 'shell-zoomed'));
});

test('on a phone a word without a gap pushes no page or dialog wider', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin', { width: 360 });
  const word = (length: number) => 'sommerschlussverkauf'.repeat(20).slice(0, length);
  const add = async (path: string, data: object): Promise<string> => {
    const answer = await page.request.post(`/api/${path}`, { headers: actKey(), data });
    expect(answer.ok(), `${path} is added`).toBe(true);
    return ((await answer.json()) as { id: string }).id;
  };
  await add('custom-fields', { label: word(50), type: 'text' });
  const name = word(60);
  const contactId = await add('contacts', { name, phone: '+447911000077', email: null, tags: [word(50)] });
  const query = { period: '7days' };
  await add('analytics/views', { name, query });
  const ofBot = { name, description: word(300), trigger: { type: 'keyword', value: word(60) } };
  const botFlowId = await add('bot-flows', {
    ...ofBot,
    responses: [{ type: 'text', content: word(300) }],
  });
  const workflowId = await add('workflows', {
    ...{ name, description: word(300), start: 'mark' },
    triggers: [{ id: 'tagged', type: 'tag_added', config: { tags: [word(50)] } }],
    steps: [{ id: 'mark', type: 'add_tag', config: { tag: word(50) }, next: {} }],
  });
  const paths = ['chatbot?tab=flows', `chatbot/${botFlowId}`, 'automation', `automation/${workflowId}`];
  for (const path of [...paths, 'contacts', `contacts/${contactId}`]) {
    await page.goto(`/dashboard/${path}`);
    await expect(page.getByRole('main').getByText(word(40)).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole('button', { name: 'Edit' }).first().click();
  const label = page.getByRole('dialog').getByText(word(50), { exact: true }).last();
  await expect(label).toBeVisible();
  expect((await label.boundingBox())?.width ?? 360).toBeLessThan(330);
  await page.goto('/dashboard/analytics?period=7days');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name })).toBeVisible();
  await expectNoSidewaysScroll(page);
});
