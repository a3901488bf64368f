import type { Locator, Page } from '@playwright/test';
import { callSandbox, expect, test, WHOLE } from './journey.ts';

/** How long each answer takes: at once, where the dialog is gone before the second half comes, and as on a slow line. */
const lines = { quick: 0, slow: 700 };
type Line = keyof typeof lines;

// A page asks for its import also while the file is still on its way.
test.use({ allowedConsole: [/status of 404 .*\/contactImports\/get/] });

/** A dialog is tried on the slow line; the quick line, a file and a public page belong to the whole set. */
const onSlow = (line: Line) => (line === 'slow' ? {} : WHOLE);

/** Every act that leaves the page, by its address; the delay is the slow line. */
async function watchOperations(page: Page, line: Line): Promise<(address: RegExp) => number> {
  const sent: string[] = [];
  await page.route('**/api/**', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    sent.push(new URL(request.url()).pathname);
    await new Promise((resolve) => setTimeout(resolve, lines[line]));
    return route.continue();
  });
  return (address) => sent.filter((path) => address.test(path)).length;
}

/** As impatient people press: twice with the mouse, and Enter on top of it while the button is there. */
async function pressTwice(button: Locator): Promise<void> {
  await button.dblclick();
  await button.press('Enter', { timeout: 200 }).catch(() => undefined);
}

/** Counts what is told at the corner of the screen from now on, also what goes before anybody looks. */
async function watchToasts(page: Page): Promise<(text: string) => Promise<number>> {
  await page.evaluate(() => {
    const told: string[] = [];
    Object.assign(globalThis, { told });
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof HTMLElement && node.parentElement?.closest('[aria-label="Notifications"]'))
          told.push(node.textContent);
    }).observe(document, { childList: true, subtree: true });
  });
  return (text) =>
    page.evaluate(
      (wanted) =>
        (globalThis as unknown as { told: string[] }).told.filter((told) => told.includes(wanted)).length,
      text,
    );
}

async function countCampaigns(page: Page, name: string): Promise<number> {
  const answer = await page.request.get(`/api/campaigns?search=${encodeURIComponent(name)}`);
  return ((await answer.json()) as { matching: number }).matching;
}

for (const line of ['quick', 'slow'] as const) {
  test(`Create Campaign, pressed twice on a ${line} line, makes one campaign`, WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    const countOf = await watchOperations(page, line);
    const name = `Twice ${line}`;
    await page.goto('/dashboard/campaigns');
    const toldOf = await watchToasts(page);
    await page.getByRole('button', { name: 'Create Campaign' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Campaign Name *').fill(name);
    await dialog.getByLabel('Template *').click();
    await page.getByRole('option', { name: /Welcome Message/ }).click();
    await dialog.getByRole('option', { name: /Ann Lee/ }).click();
    await expect(dialog.getByText('1 person will get this message')).toBeVisible();
    await pressTwice(dialog.getByRole('button', { name: 'Create Campaign' }));
    await expect(page.getByText('Campaign created successfully!')).toHaveCount(1);
    await expect(dialog).toBeHidden();
    expect(countOf(/campaigns\/create$/)).toBe(1);
    expect(await toldOf('Campaign created successfully!')).toBe(1);
    expect(await countCampaigns(page, name)).toBe(1);
    // The second half of the double click pressed nothing that lay below the dialog.
    expect(countOf(/campaigns\/(start|pause|resume|cancel)$/)).toBe(0);

    await page.getByPlaceholder('Search campaigns').fill(name);
    await page.getByRole('button', { name: `Actions of ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await pressTwice(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
    await expect(page.getByText('No campaigns found')).toBeVisible();
    expect(countOf(/campaigns\/remove$/)).toBe(1);
    expect(await toldOf('Campaign deleted')).toBe(1);
  });

  test(
    `Send in the wizard, pressed twice on a ${line} line, sends once`,
    WHOLE,
    async ({ openAs, product }) => {
      const page = await openAs('manager');
      const countOf = await watchOperations(page, line);
      await page.goto('/dashboard/bulk-message');
      await page.getByRole('option', { name: /Ben Osei/ }).click();
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.getByRole('radio', { name: /Welcome Message/ }).check();
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      const before = await callSandbox<{ accepted: number }>(product, '/_sandbox/whatsapp/stats');
      await expect(page.getByText('1 person will get this message')).toBeVisible();
      await pressTwice(page.getByRole('button', { name: 'Send to 1 contact' }));
      await pressTwice(page.getByRole('alertdialog').getByRole('button', { name: 'Send' }));
      await expect(page.getByText(/^Bulk message sent successfully/)).toHaveCount(1);
      expect(countOf(/bulkMessage\/send$/)).toBe(1);
      await page.getByRole('link', { name: 'View campaign' }).click();
      await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
      const after = await callSandbox<{ accepted: number }>(product, '/_sandbox/whatsapp/stats');
      expect(after.accepted - before.accepted).toBe(1);
    },
  );

  test(
    `a contact, pressed twice on a ${line} line, is saved and deleted once`,
    onSlow(line),
    async ({ openAs }) => {
      const page = await openAs('manager');
      const countOf = await watchOperations(page, line);
      await page.goto('/dashboard/contacts');
      await page.getByRole('button', { name: 'Add Contact' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add Contact' });
      await dialog.getByLabel('Name').fill(`Double ${line}`);
      await dialog.getByLabel('Phone').fill(line === 'slow' ? '+44 7911 000071' : '+44 7911 000072');
      await pressTwice(dialog.getByRole('button', { name: 'Save' }));
      await expect(page.getByText('Contact added successfully!')).toHaveCount(1);
      await expect(dialog).toBeHidden();
      expect(countOf(/contacts\/create$/)).toBe(1);

      await page.getByRole('searchbox', { name: 'Search by name' }).fill(`Double ${line}`);
      const row = page.getByRole('row').filter({ hasText: `Double ${line}` });
      await row.getByRole('button', { name: /^Actions for/ }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await pressTwice(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }));
      await expect(page.getByText('No contacts found')).toBeVisible();
      expect(countOf(/contacts\/remove$/)).toBe(1);
    },
  );

  test(`a segment, pressed twice on a ${line} line, is saved and told once`, WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    const countOf = await watchOperations(page, line);
    await page.goto('/dashboard/contacts?dialog=segment');
    const toldOf = await watchToasts(page);
    const dialog = page.getByRole('dialog', { name: 'New Segment' });
    await dialog.getByLabel('Segment name').fill(`Double ${line}`);
    await dialog.getByLabel('Value of condition 1').fill('vip');
    await expect(dialog.getByRole('status')).toHaveText(/contact/);
    await pressTwice(dialog.getByRole('button', { name: 'Save' }));
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Segment saved.')).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await toldOf('Segment saved.')).toBe(1);
    expect(countOf(/segments\/create$/)).toBe(1);
  });

  test(`an import, pressed twice on a ${line} line, is one import`, WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    const countOf = await watchOperations(page, line);
    await page.goto('/dashboard/contacts');
    await page.getByRole('button', { name: 'Import' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import Contacts' });
    const phone = line === 'slow' ? '+447911000081' : '+447911000082';
    await dialog.locator('input[type=file]').setInputFiles({
      ...{ name: 'people.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`name,phone\nImported ${line},${phone}\n`),
    });
    await pressTwice(dialog.getByRole('button', { name: 'Import', exact: true }));
    await expect(page.getByText('Successfully imported 1 contacts!')).toHaveCount(1);
    expect(countOf(/contacts\/imports$/)).toBe(1);
  });

  test(`a template, pressed twice on a ${line} line, is created once`, WHOLE, async ({ openAs }) => {
    const page = await openAs('manager');
    const countOf = await watchOperations(page, line);
    await page.goto('/dashboard/templates');
    await page.getByRole('button', { name: 'Create Template' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Template Name').fill(`Double ${line}`);
    await dialog.getByLabel('Body text').fill('Hello there, your order is on its way to you.');
    await pressTwice(dialog.getByRole('button', { name: 'Create Template' }));
    await expect(page.getByText('Template created successfully!')).toHaveCount(1);
    expect(countOf(/templates\/create$/)).toBe(1);
  });

  test(`an enquiry, pressed twice on a ${line} line, is mailed once`, WHOLE, async ({ page, product }) => {
    const countOf = await watchOperations(page, line);
    await page.goto('/');
    await page.getByRole('button', { name: 'Talk to Sales' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Talk to Sales' });
    await dialog.getByLabel('Name').fill('Ann Lee');
    await dialog.getByLabel('Email').fill('ann@lee.example');
    await dialog.getByLabel('What can we help with?').fill(`Pressed twice on a ${line} line`);
    await pressTwice(dialog.getByRole('button', { name: 'Send message' }));
    await expect(page.getByRole('heading', { name: 'Thank you, Ann Lee' })).toBeVisible();
    expect(countOf(/sales-enquiries$/)).toBe(1);
    const mails = async () => JSON.stringify(await callSandbox<unknown>(product, '/_sandbox/mail'));
    await expect.poll(mails).toContain(`Pressed twice on a ${line} line`);
    expect((await mails()).split(`Pressed twice on a ${line} line`)).toHaveLength(2);
  });

  test(`Create account, pressed twice on a ${line} line, makes one account`, WHOLE, async ({ page }) => {
    const countOf = await watchOperations(page, line);
    await page.goto('/register');
    await page.getByLabel('First name').fill('Dora');
    await page.getByLabel('Last name').fill('Double');
    await page.getByLabel('Email').fill(`double-${line}@example.com`);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Welcome123');
    await page.getByRole('textbox', { name: 'Confirm password' }).fill('Welcome123');
    await pressTwice(page.getByRole('button', { name: 'Create account' }));
    await expect(page).toHaveURL(/\/dashboard$/);
    expect(countOf(/sign-up\/email$/)).toBe(1);
  });
}
