import { readFileSync } from 'node:fs';
import { expect, expectFitsEverywhere, expectWordsFit, openIn, test, WHOLE } from './journey.ts';

// One journey enters a key that the service refuses.
test.use({ allowedConsole: [/status of 422 .*\/integrations\/connect/] });

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
  await expect(errors.getByText(/^Another record has the same phone number: ID \d+\./)).toHaveCount(2);
  await expect(errors.getByText('It has no phone number')).toBeVisible();
  await configure.getByRole('tab', { name: 'Sync history' }).click();
  await expect(configure.getByRole('list', { name: 'Sync history' }).getByText('Done')).toHaveCount(2);
  // What is chosen in a tab stays while another one is looked at.
  await configure.getByRole('tab', { name: 'Settings' }).click();
  await configure.getByRole('combobox', { name: 'Sync frequency' }).click();
  await page.getByRole('option', { name: 'Daily' }).click();
  await configure.getByRole('tab', { name: 'Errors' }).click();
  await expect(errors).toBeVisible();
  await configure.getByRole('tab', { name: 'Settings' }).click();
  await expect(configure.getByRole('combobox', { name: 'Sync frequency' })).toHaveText('Daily');
  await configure.getByRole('button', { name: 'Save Changes' }).click();
  await expect(configure).toBeHidden();

  const card = cards.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'HubSpot' }) });
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export Data' }).click();
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  const lines = readFileSync((await (await download).path())!, 'utf8')
    .trim()
    .split('\r\n');
  expect(lines).toHaveLength(9);
  expect(lines[1]).toMatch(/^HubSpot,crm,connected,.*,daily,/);

  await card.getByRole('button', { name: 'Disconnect' }).click();
  const question = page.getByRole('alertdialog', {
    name: 'Are you sure you want to disconnect this integration?',
  });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Disconnect' }).click();
  await question.getByRole('button', { name: 'Disconnect' }).click();
  await expect(card.getByText('Disconnected', { exact: true })).toBeVisible();
  await page.goto('/dashboard/contacts?search=Carvalho');
  await expect(page.getByText('Rui Carvalho').first()).toBeVisible();
});

test(
  'a service that hears of events asks for its channel at once; a person with a keyboard connects it',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/integrations?dialog=connect&kind=slack');
    const dialog = page.getByRole('dialog', { name: 'Connect Slack' });
    await dialog.getByRole('button', { name: 'Use the sandbox' }).press('Enter');
    await dialog.getByRole('button', { name: 'Connect', exact: true }).press('Enter');
    const configure = page.getByRole('dialog', { name: 'Configure Slack' });
    await configure.getByRole('combobox', { name: 'Channel' }).press('Enter');
    await page.getByRole('option').first().press('Enter');
    await expectFitsEverywhere(page, 'integrations-slack');
    await configure.getByRole('button', { name: 'Save Changes' }).press('Enter');
    await expect(configure).toBeHidden();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export Data' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Export as JSON' }).press('Enter');
    const file = JSON.parse(readFileSync((await (await download).path())!, 'utf8'));
    expect(file.integrations).toHaveLength(8);
    expect(file.integrations).toContainEqual(expect.objectContaining({ name: 'Slack', status: 'connected' }));
    expect(JSON.stringify(file)).not.toContain('xoxb');
  },
);

test(
  'a connection that fails says why, is mended without a new key, and both are announced',
  WHOLE,
  async ({ openAs, product }) => {
    const setRevoked = (isRevoked: boolean) =>
      fetch(`${product.sandboxUrl}/_sandbox/mailchimp/behaviour`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
        body: JSON.stringify({ isRevoked }),
      });
    const page = await openAs('admin', { theme: 'dark' });
    await page.goto('/dashboard/integrations?dialog=connect&kind=mailchimp');
    const connect = page.getByRole('dialog', { name: 'Connect Mailchimp' });
    await expect(connect.getByRole('link', { name: 'Open Mailchimp' })).toBeVisible();
    // What the service refuses is said at its field.
    const apiKey = connect.getByLabel('API key');
    await apiKey.fill('no-key-of-mailchimp');
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect(apiKey).toHaveAccessibleDescription(/The key is wrong or was revoked/);
    await connect.getByRole('button', { name: 'Use the sandbox' }).click();
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    const configure = page.getByRole('dialog', { name: 'Configure Mailchimp' });
    await configure.getByRole('button', { name: 'Start sync' }).click();
    const syncNow = configure.getByRole('button', { name: 'Sync now' });
    await expect(syncNow).toBeVisible();

    await setRevoked(true);
    await syncNow.click();
    await configure.getByRole('button', { name: 'Fix Connection' }).click();
    const fix = page.getByRole('dialog', { name: 'Fix the connection to Mailchimp' });
    await expect(fix.getByText('The key is wrong or was revoked')).toBeVisible();
    await expectFitsEverywhere(page, 'integrations-fix');
    await setRevoked(false);
    await fix.getByRole('button', { name: 'Check again' }).click();
    await expect(fix.getByText('Mailchimp answers again. The connection works.')).toBeVisible();
    await fix.getByRole('button', { name: 'Cancel' }).click();
    const card = page
      .getByRole('list', { name: 'Integrations' })
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name: 'Mailchimp' }) });
    await expect(card.getByText('Connected', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: /unread notification/ }).click();
    const news = page.getByRole('dialog', { name: 'Notifications' });
    await expect(news.getByText('The connection to Mailchimp needs attention')).toBeVisible();
    await expect(news.getByText('The connection to Mailchimp works again')).toBeVisible();
  },
);

test('who may not see the settings sees no integrations', WHOLE, async ({ openAs }) => {
  for (const role of ['manager', 'agent', 'viewer'] as const) {
    const page = await openAs(role);
    await page.goto('/dashboard/integrations');
    await expect(page.getByText('Access Denied')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add Integration' })).toBeHidden();
  }
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
    await openIn(page, language, '/dashboard/integrations');
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectWordsFit(page, `integrations-${language}`);
  }
});
