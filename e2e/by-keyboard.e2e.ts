import type { Page } from '@playwright/test';
import { callSandbox, expect, test, WHOLE } from './journey.ts';

/** A shop's file: two agree, one does not. */
const FILE = [
  'Vorname;Nachname;Telefon;Newsletter',
  'Jürgen;Müller;+49 1511 7000001;ja',
  'Zoë;Größer;+49 1511 7000002;nein',
  'Anna;Weiß;+49 1511 7000003;ja',
].join('\n');

test(
  'a file becomes contacts, a segment and a campaign that is sent, without a mouse',
  WHOLE,
  async ({ openAs, product }) => {
    await callSandbox(product, '/_sandbox/whatsapp/behaviour', { statusDelayMs: 50, throughputMps: 1000 });
    const page = await openAs('admin');
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible();
    // The title stands in the document, ahead of whoever hears keys: who is signed in does not.
    await expect(page.getByRole('button', { name: 'Amara Okafor Admin' })).toBeVisible();
    await press(page, 'g', 'c');
    await expect(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();

    // Past the menu to the page.
    await tabTo(page, 'link', 'Skip to content');
    await press(page, 'Enter');
    await tabTo(page, 'button', 'Import');
    await press(page, 'Enter');
    const importing = page.getByRole('dialog', { name: 'Import Contacts' });
    await expect(importing).toBeVisible();
    const asked = page.waitForEvent('filechooser');
    await tabTo(page, 'button', 'File', 'Shift+Tab');
    await press(page, 'Enter');
    await (
      await asked
    ).setFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE, 'utf8') });
    await expect(importing.getByRole('combobox', { name: /Telefon/ })).toHaveValue('phone');
    await tabTo(
      page,
      'checkbox',
      'Everyone marked with yes in this file agreed to get marketing messages from us',
    );
    await press(page, 'Space');
    await tabTo(page, 'combobox', 'Tag everybody in this file');
    await page.keyboard.type('by-keyboard');
    await press(page, 'Enter', 'Control+Enter');
    const results = page.getByRole('dialog', { name: 'Import Results' });
    await expect(results.getByText('1 person is opted out by the file')).toBeVisible();
    await press(page, 'Escape');
    await expect(results).toHaveCount(0);

    await tabTo(page, 'button', 'Segments');
    await press(page, 'Enter');
    await expect(page.getByRole('menuitem', { name: 'New Segment' })).toBeFocused();
    await press(page, 'Enter');
    const segment = page.getByRole('dialog', { name: 'New Segment' });
    await expect(segment.getByLabel('Segment name')).toBeFocused();
    await page.keyboard.type('Shop by keyboard');
    await tabTo(page, 'combobox', 'Value of condition 1');
    await page.keyboard.type('by-key');
    await expect(page.getByRole('option', { name: /by-keyboard/ })).toBeVisible();
    await press(page, 'ArrowDown', 'Enter');
    await expect(segment.getByText('3 contacts')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(segment).toHaveCount(0);

    await press(page, 'g', 'm');
    await expect(page.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
    await press(page, 'c');
    const campaign = page.getByRole('dialog', { name: 'Create Campaign' });
    await expect(campaign.getByLabel('Campaign Name *')).toBeFocused();
    await page.keyboard.type('Sent by keyboard');
    await tabTo(page, 'combobox', 'Template *');
    await page.keyboard.type('Order');
    // The first match is marked by itself; an arrow would go on to the next.
    await expect(page.getByRole('option', { name: /Order Update/ })).toHaveAttribute('data-highlighted');
    await press(page, 'Enter');
    await tabTo(page, 'button', 'Choose segments');
    await press(page, 'Enter');
    const choice = page.getByRole('checkbox', { name: /Shop by keyboard/ });
    await expect(choice).toBeFocused();
    await press(page, 'Space');
    await expect(choice).toBeChecked();
    await press(page, 'Escape');
    await expect(campaign.getByText('3 contacts selected')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(campaign).toHaveCount(0);

    await tabTo(page, 'link', 'Sent by keyboard');
    await press(page, 'Enter');
    await expect(page.getByRole('heading', { name: 'Sent by keyboard', level: 1 })).toBeVisible();
    await tabTo(page, 'button', 'Start');
    await press(page, 'Enter');
    const question = page.getByRole('alertdialog');
    await expect(question.getByText('Estimated cost')).toBeVisible();
    await press(page, 'Control+Enter');
    await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
    await expect
      .poll(() => callSandbox<{ byTagMax: number }>(product, '/_sandbox/whatsapp/stats'))
      .toMatchObject({ byTagMax: 1 });
  },
);

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** As people do who cannot point: from where the focus is, until the control has it. */
async function tabTo(
  page: Page,
  role: 'link' | 'button' | 'checkbox' | 'combobox',
  name: string,
  key = 'Tab',
) {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 60; presses += 1) {
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No way to ${name} by ${key}`);
}
