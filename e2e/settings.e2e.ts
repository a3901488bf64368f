import { callSandbox, expect, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';

test.use({ allowedConsole: [/status of 409/] });

test(
  'what the business says of itself is saved; of two admins who save at once the second one chooses',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const other = await openAs('admin');
    await other.goto('/dashboard/settings');
    await other.getByLabel('Address').fill('2 High Street');

    await page.goto('/settings');
    await expect(page).toHaveURL(/\/dashboard\/settings/);
    await page.getByLabel('Business Name').fill('Corner Shop');
    await page.getByLabel('Website 1').fill('no website');
    await expect(page.getByText('Some fields need a correction.')).toBeVisible();
    await page.getByLabel('Website 1').fill('shop.example');
    // Leaving asks first.
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved successfully!')).toBeVisible();
    // Nothing that is told covers what is pressed next.
    const told = await page.locator('[data-notifications]').getByText('Settings saved').boundingBox();
    const button = await page.getByRole('button', { name: 'Save Settings' }).boundingBox();
    expect(told!.y + told!.height).toBeLessThan(button!.y);
    await expect(page.getByLabel('Website 1')).toHaveValue('https://shop.example');

    await other.getByRole('button', { name: 'Save Settings' }).click();
    await other.getByRole('button', { name: 'Keep my changes on top' }).click();
    await expect(other.getByLabel('Business Name')).toHaveValue('Corner Shop');
    await other.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByLabel('Address')).toHaveValue('2 High Street');

    await page.goto('/dashboard/settings?tab=general');
    await expect(page.getByLabel('Business Name')).toHaveValue('Corner Shop');
    await expect(page.getByText('The platform shows this since')).toBeVisible();
    await expectFitsEverywhere(page, 'settings-general');
    await page.getByLabel('Use a price list').check();
    await page.getByLabel('Germany, Marketing').fill('0.2');
    await page.getByRole('button', { name: 'Remove Brazil' }).click();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved successfully!')).toBeVisible();
    await expectFitsEverywhere(page, 'settings-prices');
  },
);

test(
  'whoever writes is answered by itself, as the workspace says, and the quiet hours are those of a new campaign',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/settings?tab=messaging&section=auto-reply');
    await page.getByLabel('Auto-Reply Message').fill('We will be with you soon.');
    await page.getByRole('combobox', { name: 'When' }).click();
    await page.getByRole('option', { name: 'Always' }).click();
    for (const name of [
      'Quiet Hours',
      'Message Limits',
      'Budget per Month',
      'Campaign Guard',
      'Opt-Out and Opt-In',
    ])
      await page.locator('summary', { hasText: name }).click();
    await page.getByLabel('Messages per Minute').fill('0');
    await expect(page.getByText('Messages per Minute: between 1 and 100,000.')).toBeVisible();
    await page.getByLabel('Messages per Minute').fill('20');
    await page.getByLabel('Limit marketing for each person').check();
    await page.getByLabel('Marketing Messages per Person and Week').fill('2');
    await page.getByRole('switch', { name: 'Quiet hours' }).check();
    await page.getByLabel('Limit what is spent').check();
    await page.getByLabel('Amount (USD)').fill('0');
    await expect(page.getByText('The budget is between 0.01 and 100,000,000.')).toBeVisible();
    // Less than one message costs.
    await page.getByLabel('Amount (USD)').fill('0.02');
    await page.getByLabel('Failed Messages (Percent)').fill('40');
    await page.getByLabel('Answer to an Opt-Out').fill('You get no more offers.');
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved successfully!')).toBeVisible();
    await expect(page.getByText('$0.00 used, $0.02 left')).toBeVisible();
    await expectFitsEverywhere(page, 'settings-messaging');

    await inWhole(async () => {
      await callSandbox(product, '/_sandbox/whatsapp/inbound', {
        ...{ from: '4915112345999', name: 'Nia Falk', text: 'Are you open?' },
      });
      await page.goto('/dashboard/inbox');
      await page
        .getByRole('link', { name: /Nia Falk/ })
        .first()
        .click();
      await expect(page.getByText('We will be with you soon.').last()).toBeVisible();
    });
    await page.goto('/dashboard/campaigns?form=new');
    await expect(page.getByRole('switch', { name: 'Quiet hours' })).toBeChecked();
    await page.getByLabel('Template *').click();
    await page.getByRole('option', { name: /Welcome Message/ }).click();
    await page.getByRole('option', { name: /Ann Lee/ }).click();
    await expect(page.getByText('This does not fit the budget: $0.02 of this month are left.')).toBeVisible();
  },
);

test('whoever has no read of settings sees that it is closed', WHOLE, async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/settings');
  await expect(page.getByText("You don't have permission to access this page.")).toBeVisible();
  await expect(page.getByRole('link', { name: 'Settings', exact: true })).toHaveCount(0);
});
