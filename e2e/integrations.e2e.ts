import { readFileSync } from 'node:fs';
import { actKey, expect, expectFitsEverywhere, expectWordsFit, test, WHOLE } from './journey.ts';

test('a CRM is connected, its preview is looked at, and its contacts come in', async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/integrations');
  await expect(page.getByRole('heading', { name: 'Integrations', level: 1 })).toBeVisible();
  const cards = page.getByRole('list', { name: 'Integrations' });
  await expect(cards.getByRole('heading', { level: 2 })).toHaveText([
    ...['HubSpot', 'Salesforce', 'Mailchimp', 'Shopify', 'Google Analytics', 'Calendly', 'Slack', 'Zapier'],
  ]);
  await expectFitsEverywhere(page, 'integrations');

  await page.getByRole('button', { name: 'Add Integration' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Connect HubSpot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Connect HubSpot' });
  await dialog.getByRole('button', { name: 'Use the sandbox' }).click();
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();

  const configure = page.getByRole('dialog', { name: 'Configure HubSpot' });
  await expect(configure.getByRole('list', { name: 'First records' })).toContainText('Ana Diaz');
  await expectFitsEverywhere(page, 'integrations-preview');
  await configure.getByRole('button', { name: 'Start sync' }).click();
  await configure.getByRole('tab', { name: 'Errors' }).click();
  const errors = configure.getByRole('list', { name: 'Errors' });
  await expect(errors.getByText('Another record has the same phone number')).toHaveCount(2);
  await expect(errors.getByText('It has no phone number')).toBeVisible();
  await configure.getByRole('tab', { name: 'Sync history' }).click();
  await expect(configure.getByRole('list', { name: 'Sync history' }).getByText('Done')).toHaveCount(2);
  await configure.getByRole('button', { name: 'Close' }).click();

  const card = cards.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'HubSpot' }) });
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export Data' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const lines = readFileSync((await (await download).path())!, 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(9);
  expect(lines[1]).toMatch(/^HubSpot,crm,connected,hourly,/);

  await card.getByRole('button', { name: 'Disconnect' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to disconnect this integration?',
  });
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect(card.getByText('Disconnected', { exact: true })).toBeVisible();
  await page.goto('/dashboard/contacts?search=Carvalho');
  await expect(page.getByText('Rui Carvalho').first()).toBeVisible();
});

test('search and categories leave what is looked for', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/integrations');
  await page.getByRole('button', { name: 'CRM', exact: true }).click();
  const names = page.getByRole('list', { name: 'Integrations' }).getByRole('heading', { level: 2 });
  await expect(names).toHaveText(['HubSpot', 'Salesforce']);
  await page.getByRole('searchbox', { name: 'Search integrations...' }).fill('nothing like this');
  await expect(page.getByText('No integrations found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(names).toHaveCount(8);
});

test('its words fit in every language', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  const titles = {
    es: 'Integraciones',
    fr: 'Intégrations',
    de: 'Integrationen',
    pt: 'Integrações',
    en: 'Integrations',
  };
  for (const [language, title] of Object.entries(titles)) {
    const chosen = await page.request.put('/api/profile/language', { headers: actKey(), data: { language } });
    expect(chosen.ok()).toBe(true);
    await page.goto('/dashboard/integrations');
    await page.reload();
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectWordsFit(page, `integrations-${language}`);
  }
});
