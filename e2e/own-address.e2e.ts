import { expect, expectFitsEverywhere, test, inWhole, WHOLE } from './journey.ts';
import type { Product } from './run-product.ts';

// Whoever is signed out meanwhile is refused, which the browser notes on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

/** The address in the newest mail that holds one of this kind. */
async function readLink({ sandboxUrl }: Product, kind: RegExp): Promise<string> {
  const mails = await (await fetch(`${sandboxUrl}/_sandbox/mail`)).text();
  return kind.exec(mails)?.[0] ?? '';
}

test(
  'somebody signs in with another address once its link was used, and the former one takes it back',
  WHOLE,
  async ({ openAs, page: mailBox, product }) => {
    const page = await openAs('viewer');
    await page.goto('/dashboard/profile');
    await page.getByRole('button', { name: 'Change email' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change your email address' });
    await dialog.getByLabel('New email address').fill('vera@');
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await expect(dialog.getByText('Please enter a valid email address')).toBeVisible();
    await dialog.getByLabel('New email address').fill('vera@example.com');
    await inWhole(() => expectFitsEverywhere(page, 'email-change'));
    await dialog.getByRole('button', { name: 'Send link' }).click();
    await expect(page.getByText('A link was sent to vera@example.com. Until it is used')).toBeVisible();

    const confirm = /email-link\?confirm=[\w%.-]+/;
    await expect.poll(() => readLink(product, confirm)).not.toBe('');
    await mailBox.goto(`/${await readLink(product, confirm)}`);
    await expectFitsEverywhere(mailBox, 'email-link');
    await mailBox.getByRole('button', { name: 'Confirm the new address' }).click();
    await expect(mailBox.getByText('From now on you sign in with vera@example.com.')).toBeVisible();
    // The page of the person heard of it by itself, and is still signed in.
    await expect(page.getByRole('main')).toContainText('vera@example.com');
    await expect(page.getByText('Until it is used')).toHaveCount(0);

    const undo = /email-link\?undo=[\w%.-]+/;
    await expect.poll(() => readLink(product, undo)).not.toBe('');
    await mailBox.goto(`/${await readLink(product, undo)}`);
    await mailBox.getByRole('button', { name: 'Undo the change' }).click();
    await expect(mailBox.getByText('You sign in with viewer@example.com again')).toBeVisible();
    await expect(page).toHaveURL(/\/login/);
  },
);

test(
  'whoever may let people in hears at once of who asks to join, and reads it in every tab',
  WHOLE,
  async ({ openAs, page: guest }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/contacts');
    await expect(page.getByRole('button', { name: 'Notifications' })).toBeVisible();
    const asked = await guest.request.post('/api/auth/sign-up/email', {
      data: {
        firstName: 'Hugo',
        lastName: 'Blanc',
        email: 'hugo@example.org',
        password: 'Welcome123',
        role: 'manager',
      },
    });
    expect(asked.ok()).toBe(true);
    const bell = page.getByRole('button', { name: /unread notification/ });
    await expect(bell).toBeVisible();
    const other = await openAs('admin');
    await other.goto('/dashboard/contacts');
    await expect(other.getByRole('button', { name: /unread notification/ })).toBeVisible();

    await bell.press('Enter');
    const list = page.getByRole('dialog', { name: 'Notifications' });
    await expect(list.getByRole('link', { name: 'Hugo Blanc asks to join' })).toBeVisible();
    await expectFitsEverywhere(page, 'notifications');
    await list.getByRole('link', { name: 'Hugo Blanc asks to join' }).click();
    await expect(page).toHaveURL(/\/dashboard\/users\?.*status=waiting/);
    await other.getByRole('button', { name: /otification/ }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Mark all as read' }).click();
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  },
);
