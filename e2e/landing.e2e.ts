import { callSandbox, expect, expectAccessible, expectFitsEverywhere, test, WHOLE } from './journey.ts';

test('the page shows without script', async ({ browser, product }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: product.url });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const name of [
    'Smart Messaging',
    'Contact Management',
    'Automation',
    'Analytics',
    'Integrations',
    'RCS Messaging',
  ])
    await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
  await expect(page.getByText('14-day free trial')).toBeVisible();
  await context.close();
});

test('the anchors lead to their parts and the way in leads to the dashboard', WHOLE, async ({ page }) => {
  await page.goto('/');
  const bar = page.getByRole('banner');
  for (const [label, anchor] of [
    ['Features', 'features'],
    ['Pricing', 'pricing'],
    ['Reviews', 'testimonials'],
    ['Contact', 'contact'],
  ] as const) {
    await bar.getByRole('link', { name: label }).click();
    await expect(page).toHaveURL(new RegExp(`#${anchor}$`));
    await expect(page.locator(`#${anchor}`)).toBeInViewport();
  }
  await expect(bar.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/dashboard');
  await bar.getByRole('link', { name: 'Get Started' }).click();
  await expect(page).toHaveURL(/\/login\?redirect=%2Fdashboard&begin=1$/);
  // Whoever begins is asked for an account first, also after a reload.
  await page.reload();
  await expect(page.getByRole('link', { name: 'Create account' })).toBeVisible();
});

test('prices stand in dollars and in rupees', WHOLE, async ({ page }) => {
  await page.goto('/');
  const plans = page.locator('#pricing');
  for (const price of ['$29', '$79', '$199'])
    await expect(plans.getByText(price, { exact: true })).toBeVisible();
  await plans.getByText('INR', { exact: true }).click();
  for (const price of ['₹2,399', '₹6,499', '₹16,499'])
    await expect(plans.getByText(price, { exact: true })).toBeVisible();
  await expect(plans.getByText('10,000 messages')).toBeVisible();
  await expect(plans.getByText('Unlimited contacts')).toBeVisible();
});

test('a message to sales is checked, stored and mailed', WHOLE, async ({ page, product }) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Talk to Sales' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Talk to Sales' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(dialog.getByText('Name is required')).toBeVisible();
  await expect(dialog.getByText('Email is required')).toBeVisible();
  await dialog.getByLabel('Name').fill('Ann Lee');
  await dialog.getByLabel('Email').fill('ann@lee.example');
  await dialog.getByLabel('What can we help with?').fill('Ten people, two numbers. What would it cost?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send message' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you, Ann Lee' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect
    .poll(async () => JSON.stringify(await callSandbox<unknown>(product, '/_sandbox/mail')))
    .toContain('Ten people, two numbers.');
});

test('the page is accessible and fits a telephone', WHOLE, async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectFitsEverywhere(page, 'landing');
});
