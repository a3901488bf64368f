import { Secret, TOTP } from 'otpauth';
import type { Page } from '@playwright/test';
import { actKey, expect, expectAccessible, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';

// A refused code or password is an answer of 401, 403, 415 or 422, which every browser notes in its console.
test.use({ allowedConsole: [/status of 4(01|03|15|22)/] });

const signIn = async (page: Page, email: string, password = 'Welcome123') => {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
};
const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + stepsAhead * 30_000,
  });

test(
  'somebody changes details, picture and preferences, and the home follows on another device',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('viewer');
    await page.goto('/dashboard/profile');
    await expect(page.getByRole('heading', { name: 'My Profile' })).toBeVisible();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('First name').fill('');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('First name is required')).toBeVisible();
    await page.getByLabel('First name').fill('Vera');
    await page.getByLabel('Time zone').click();
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('Profile updated successfully!')).toBeVisible();
    await expect(page.getByRole('complementary')).toContainText('Vera');
    await expectFitsEverywhere(page, 'profile-details');

    const [picker] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Change picture' }).click(),
    ]);
    await picker.setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await expect(page.getByText('This file is no picture that can be shown.')).toBeVisible();
    const [again] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Change picture' }).click(),
    ]);
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await again.setFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await expect(page.getByText('Avatar updated successfully!')).toBeVisible();
    await expect(page.getByRole('complementary').locator('img')).toBeVisible();

    await page.getByRole('tab', { name: 'Preferences' }).click();
    await page.getByLabel('Theme').click();
    await page.getByRole('option', { name: 'Dark' }).click();
    await page.getByRole('radio', { name: 'List' }).check();
    await page.getByRole('checkbox', { name: 'System Status' }).uncheck();
    await page.getByRole('button', { name: 'Move Recent Campaigns up' }).click();
    await page.getByRole('switch', { name: 'Email notifications' }).uncheck();
    await page.getByRole('button', { name: 'Save Preferences' }).click();
    await expect(page.getByText('Preferences updated successfully!')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await expectFitsEverywhere(page, 'profile-preferences');

    const other = await openAs('viewer');
    await other.goto('/dashboard');
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark');
    const headings = other.getByRole('main').getByRole('heading', { level: 2 });
    await expect(headings.filter({ hasText: 'Recent Campaigns' })).toBeVisible();
    const names = await headings.allTextContents();
    expect(names).not.toContain('System Status');
    expect(names.indexOf('Recent Campaigns')).toBeLessThan(names.indexOf('Message Analytics'));
  },
);

test(
  'a second factor is set up, asked for, and replaced by a recovery code once',
  WHOLE,
  async ({ openAs, page }) => {
    const own = await openAs('agent');
    await own.goto('/dashboard/profile?tab=security');
    await own.getByRole('button', { name: 'Enable 2FA' }).click();
    const dialog = own.getByRole('dialog');
    await expect(dialog.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
    await inWhole(() => expectFitsEverywhere(own, 'two-factor-set-up'));
    const secret = (await dialog.locator('code').textContent()) ?? '';
    await dialog.getByLabel('Six-digit code').fill('000000');
    await dialog.getByRole('button', { name: 'Verify and switch on' }).click();
    await expect(dialog.getByText('This code is not right.')).toBeVisible();
    await dialog.getByLabel('Six-digit code').fill(codeOf(secret));
    await dialog.getByRole('button', { name: 'Verify and switch on' }).click();
    await expect(own.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
    const codes = await own.getByRole('dialog').getByRole('listitem').allTextContents();
    expect(codes.length).toBe(10);
    await own.getByRole('button', { name: 'I have saved them' }).click();
    await expect(own.getByText('10 recovery codes left')).toBeVisible();
    await expectFitsEverywhere(own, 'profile-security');

    await signIn(page, 'agent@example.com');
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    await expect(page.getByLabel('One-time code')).toBeFocused();
    await expectFitsEverywhere(page, 'second-step');
    await page.getByLabel('One-time code').fill('123456');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page.getByText('This code is not right, or was used before.')).toBeVisible();
    await page.getByLabel('One-time code').fill(codeOf(secret, 1));
    await page.getByLabel('Ask for no code in this browser for 30 days').check();
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await expect(page).toHaveURL(/\/login$/);
    // Trusted: the password is enough here.
    await signIn(page, 'agent@example.com');
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.context().clearCookies();
    await signIn(page, 'agent@example.com');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Verify' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await own.goto('/dashboard/profile?tab=security');
    await expect(own.getByText('9 recovery codes left')).toBeVisible();
    await own.getByRole('button', { name: 'Disable 2FA' }).click();
    await own.getByRole('alertdialog').getByRole('button', { name: 'Disable 2FA' }).click();
    await expect(own.getByRole('button', { name: 'Enable 2FA' })).toBeVisible();
  },
);

test(
  'other sessions are seen and ended, and a new password asks for the present one',
  WHOLE,
  async ({ openAs }) => {
    const here = await openAs('manager');
    const there = await openAs('manager');
    await there.goto('/dashboard/campaigns');
    await expect(there.getByRole('heading', { name: 'Campaigns', level: 1 })).toBeVisible();
    await here.goto('/dashboard/profile?tab=sessions');
    await expect(here.getByText('This session')).toBeVisible();
    await expect(here.getByText('sessions expire after 24 hours of inactivity')).toBeVisible();
    await expectFitsEverywhere(here, 'profile-sessions');
    await here.getByRole('button', { name: 'End all others' }).click();
    await here.getByRole('alertdialog').getByRole('button', { name: 'End all others' }).click();
    await expect(here.getByText(/sessions? ended/)).toBeVisible();
    await expect(there).toHaveURL(/\/login\?redirect=/);
    await expect(here.getByRole('button', { name: /^End session/ })).toHaveCount(0);
    await here.getByLabel('Show inactive sessions').check();
    await expect(here.getByText('Inactive', { exact: true }).first()).toBeVisible();

    await here.getByRole('tab', { name: 'Security' }).click();
    await here.getByRole('button', { name: 'Change Password' }).click();
    const field = (name: string) => here.getByRole('textbox', { name, exact: true });
    await field('Current password').fill('Wrong1234');
    await field('New password').fill('Another1234');
    await field('Confirm new password').fill('Another123');
    await here.getByRole('button', { name: 'Change Password' }).click();
    await expect(here.getByText('New passwords do not match')).toBeVisible();
    await field('Confirm new password').fill('Another1234');
    await here.getByRole('button', { name: 'Change Password' }).click();
    await expect(here.getByText('This is not your current password')).toBeVisible();
    await expectAccessible(here, 'profile-password');
    await field('Current password').fill('Welcome123');
    await here.getByRole('button', { name: 'Change Password' }).click();
    await expect(here.getByText('Password changed successfully!')).toBeVisible();
    const back = { currentPassword: 'Another1234', newPassword: 'Welcome123' };
    const answer = await here.request.post('/api/profile/password', { data: back, headers: actKey() });
    expect(answer.ok()).toBe(true);
  },
);

test(
  'a passkey opens the account without a password or code, until it is removed',
  WHOLE,
  async ({ browser, product }) => {
    // Passkeys belong to a host name; a bare address is none.
    const baseURL = product.url.replace('127.0.0.1', 'localhost');
    const context = await browser.newContext({ baseURL });
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
        ...{ hasUserVerification: true, isUserVerified: true },
      },
    });
    await signIn(page, 'viewer@example.com');
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.goto('/dashboard/profile?tab=security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(page.getByText(/^Passkey of/)).toBeVisible();
    await inWhole(() => expectAccessible(page, 'profile-passkeys'));
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page).toHaveURL(/\/dashboard$/);

    await page.goto('/dashboard/profile?tab=security');
    await expect(page.getByText('Last used')).toBeVisible();
    await page.getByRole('button', { name: /^Remove passkey/ }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('You have no passkey yet.')).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByText('This passkey is not known here.')).toBeVisible();
    await context.close();
  },
);
