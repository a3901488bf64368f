import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';

test.use({
  productOptions: { hasCompany: true },
  // Who is not let in yet is refused, which the browser notes on its own.
  allowedConsole: [/Failed to load resource/],
});

const company = 'Continue with Company Account';

async function goThrough(page: Page, who: string): Promise<void> {
  await page.getByRole('button', { name: company }).click();
  await page.getByRole('link', { name: who }).click();
}

test(
  'somebody comes by the company, waits, is let in, and works where they wanted to',
  WHOLE,
  async ({ openAs, browser, product }) => {
    const context = await browser.newContext({ baseURL: product.url });
    const guest = await context.newPage();
    await guest.goto('/login?redirect=%2Fdashboard%2Fcontacts');
    await expect(guest.getByRole('button', { name: company })).toBeVisible();
    await inWhole(() => expectFitsEverywhere(guest, 'sign-in-company'));

    // Giving up leads back, with a sentence.
    await goThrough(guest, 'Cancel');
    await expect(guest.getByRole('alert')).toContainText('rejected or cancelled');
    expect(new URL(guest.url()).search).toBe('?redirect=%2Fdashboard%2Fcontacts');
    await goThrough(guest, 'Grace Hopper');
    await expect(guest.getByRole('status')).toContainText('has to activate your account');
    await expectFitsEverywhere(guest, 'sign-in-company-waiting');

    const admin = await openAs('admin');
    await admin.goto('/dashboard/users');
    const waiting = admin.getByRole('list', { name: 'Waiting for approval' });
    await expect(waiting).toContainText('Grace Hopper');
    await waiting.getByRole('button', { name: 'Approve' }).click();
    await expect(waiting).toBeHidden();

    await guest.goto('/login?redirect=%2Fdashboard%2Fcontacts');
    await goThrough(guest, 'Grace Hopper');
    await expect(guest).toHaveURL(/\/dashboard\/contacts$/);
    await expect(guest.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible();

    // What is dangerous asks for a proof, and takes the company's; the act then goes on.
    await guest.goto('/dashboard/profile?tab=security');
    let isAsked = false;
    await guest.route('**/api/rpc/profile/setLoginAlerts', (route) => {
      if (isAsked) return route.continue();
      isAsked = true;
      return route.fulfill({ status: 403, json: { error: { code: 'password_needed', message: '' } } });
    });
    const alerts = guest.getByRole('switch', { name: 'Login alerts' });
    await expect(alerts).toBeChecked();
    await alerts.click();
    const dialog = guest.getByRole('dialog', { name: "Confirm it's you" });
    await expect(dialog.getByRole('button', { name: 'Confirm with Company Account' })).toBeVisible();
    await inWhole(() => expectAccessible(guest, 'proof-by-company'));
    const opening = guest.waitForEvent('popup');
    await dialog.getByRole('button', { name: 'Confirm with Company Account' }).click();
    const popup = await opening;
    await popup.getByRole('link', { name: 'Grace Hopper' }).click();
    await expect(dialog).toBeHidden();
    await expect(alerts).not.toBeChecked();
    await context.close();
  },
);

test(
  'somebody with a password connects the company account, signs in by it, and disconnects it',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/profile?tab=security');
    await page.getByRole('button', { name: 'Connect with Company Account' }).click();
    await page.getByRole('link', { name: 'Alan Turing' }).click();
    await expect(page.getByText('Your account is connected now')).toBeVisible();
    await expectFitsEverywhere(page, 'profile-company');
    await page.context().clearCookies();
    await page.goto('/login');
    await goThrough(page, 'Alan Turing');
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto('/dashboard/profile?tab=security');
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
    await expect(page.getByRole('button', { name: 'Connect with Company Account' })).toBeVisible();
  },
);
