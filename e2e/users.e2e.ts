import type { Browser, Page } from '@playwright/test';
import { expect, expectFitsEverywhere, test, WHOLE, inWhole } from './journey.ts';
import type { Product } from './run-product.ts';

// Whoever is signed out meanwhile is refused, which the browser notes on its own.
test.use({ allowedConsole: [/Failed to load resource/] });

/** The address in the newest mail that holds one of this kind. */
async function readLink({ sandboxUrl }: Product, kind: RegExp): Promise<string> {
  const mails = await (await fetch(`${sandboxUrl}/_sandbox/mail`)).text();
  return kind.exec(mails)?.[0] ?? '';
}

async function openAlone(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

async function act(page: Page, who: string, what: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${who}`, exact: true }).click();
  await page.getByRole('menuitem', { name: what }).click();
}

test('somebody is invited by mail, joins, works, and is out at once when they are deactivated', async ({
  openAs,
  browser,
  product,
}) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/users');
  await expect(rowOf(page, 'manager@example.com')).toContainText('Manager');
  await page.getByRole('button', { name: 'Add User' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add User' });
  await dialog.getByLabel('Email').fill('grace@');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByText('Please enter a valid email address')).toBeVisible();
  await dialog.getByLabel('Email').fill('grace@example.com');
  await dialog.getByRole('radio', { name: 'Manager' }).check();
  await inWhole(() => expectFitsEverywhere(page, 'users-invite'));
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('Invitation sent to grace@example.com')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Open invitations' })).toContainText('grace@example.com');

  await expect.poll(() => readLink(product, /invitation\?token=[\w%.-]+/)).not.toBe('');
  const guest = await openAlone(browser);
  await guest.goto(`${new URL(page.url()).origin}/${await readLink(product, /invitation\?token=[\w%.-]+/)}`);
  await expect(guest.getByText(/invites you to .+ as Manager\./)).toBeVisible();
  await expectFitsEverywhere(guest, 'invitation');
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest.getByText('First name is required')).toBeVisible();
  await guest.getByLabel('First name').fill('Grace');
  await guest.getByLabel('Last name').fill('Moreau');
  await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('Welcome123');
  await guest.getByRole('textbox', { name: 'Confirm password' }).fill('Welcome123');
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest).toHaveURL(/\/dashboard$/);
  await guest.goto('/dashboard/users');
  // A manager sees people and changes nobody.
  await expect(rowOf(guest, 'admin@example.com')).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Add User' })).toHaveCount(0);

  // The page of the admin heard of it by itself.
  await expect(page.getByText('Open invitations')).toHaveCount(0);
  await expect(rowOf(page, 'Grace Moreau')).toContainText('Online');
  await expectFitsEverywhere(page, 'users');
  await rowOf(page, 'Grace Moreau').getByText('Grace Moreau').click();
  const details = page.getByRole('dialog', { name: 'User Details' });
  await expect(details.getByText('Not provided')).toBeVisible();
  await expect(details.getByRole('row').filter({ hasText: 'Manage Campaigns' })).toBeVisible();
  await inWhole(() => expectFitsEverywhere(page, 'users-details'));
  await details.getByRole('button', { name: 'Edit User' }).click();
  await page.getByRole('dialog', { name: 'Edit User' }).getByLabel('Last name').fill('Moreau-Lee');
  await page.getByRole('dialog', { name: 'Edit User' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Grace Moreau-Lee was updated')).toBeVisible();

  // Demoted, they lose the page under their hands; deactivated, they are out.
  await act(page, 'Grace Moreau-Lee', 'Demote to Agent');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Demote to Agent' }).click();
  await expect(page.getByText('Grace Moreau-Lee is now Agent')).toBeVisible();
  await expect(guest.getByText("You don't have permission to view user management.")).toBeVisible();
  await expect(guest.getByRole('link', { name: 'User Management' })).toHaveCount(0);
  await openTab(page, 'Sessions');
  await expect(rowOf(page, 'grace@example.com')).toContainText('Active');
  await expect(page.getByText('sessions expire after 24 hours of inactivity')).toBeVisible();
  await expectFitsEverywhere(page, 'users-sessions');
  await openTab(page, 'Users');
  await act(page, 'Grace Moreau-Lee', 'Deactivate');
  const question = page.getByRole('dialog', { name: 'Deactivate Grace Moreau-Lee?' });
  await inWhole(() => expectFitsEverywhere(page, 'users-deactivate'));
  await question.getByRole('button', { name: 'Deactivate' }).click();
  await expect(page.getByText('Grace Moreau-Lee was deactivated')).toBeVisible();
  await expect(guest).toHaveURL(/\/login/);

  await act(page, 'Grace Moreau-Lee', 'Delete');
  await page
    .getByRole('dialog', { name: 'Are you sure you want to delete Grace Moreau-Lee?' })
    .getByRole('button', { name: 'Delete' })
    .click();
  await expect(page.getByText('Grace Moreau-Lee was deleted')).toBeVisible();
  await expect(rowOf(page, 'grace@example.com')).toHaveCount(0);
  // Nobody acts on their own place: the last admin stays.
  await page.getByRole('button', { name: 'Actions for Amara Okafor', exact: true }).click();
  await expect(page.getByRole('menuitem')).toHaveText(['View details']);
  await guest.context().close();
});

test(
  'whoever signed up waits, is approved with a smaller role than they asked for, and another one is declined',
  WHOLE,
  async ({ openAs, browser }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/users');
    const origin = new URL(page.url()).origin;
    const guest = await openAlone(browser);
    for (const [firstName, email] of [
      ['Hugo', 'hugo@example.com'],
      ['Iris', 'iris@example.com'],
    ] as const) {
      await guest.goto(`${origin}/register`);
      await guest.getByLabel('First name').fill(firstName);
      await guest.getByLabel('Last name').fill('Vega');
      await guest.getByLabel('Email').fill(email);
      await guest.getByRole('radio', { name: 'Admin' }).check();
      await guest.getByRole('textbox', { name: 'Password', exact: true }).fill('Welcome123');
      await guest.getByRole('textbox', { name: 'Confirm password' }).fill('Welcome123');
      await guest.getByRole('button', { name: 'Create account' }).click();
      await expect(guest.getByRole('heading', { name: 'Your request is on its way' })).toBeVisible();
    }
    const waiting = page.getByRole('list', { name: 'Waiting for approval' });
    await expect(waiting).toContainText('Hugo Vega');
    await expectFitsEverywhere(page, 'users-waiting');
    const hugo = waiting.getByRole('listitem').filter({ hasText: 'Hugo Vega' });
    await hugo.getByRole('combobox', { name: 'Role for Hugo Vega' }).click();
    await page.getByRole('listbox').getByRole('option', { name: 'Viewer', exact: true }).click();
    await hugo.getByRole('button', { name: 'Approve' }).click();
    await expect(page.getByText('Hugo Vega may sign in now')).toBeVisible();
    await expect(hugo).toHaveCount(0);
    await waiting.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click();
    await expect(page.getByText('The request of Iris Vega was declined')).toBeVisible();
    await expect(page.getByText('Waiting for approval')).toHaveCount(0);
    await expect(rowOf(page, 'hugo@example.com')).toContainText('Viewer');

    await guest.goto(`${origin}/login`);
    await guest.getByLabel('Email').fill('hugo@example.com');
    await guest.getByRole('textbox', { name: 'Password' }).fill('Welcome123');
    await guest.getByRole('button', { name: 'Sign in' }).click();
    await expect(guest).toHaveURL(/\/dashboard$/);
    await guest.goto(`${origin}/dashboard/users`);
    await expect(guest.getByText("You don't have permission to view user management.")).toBeVisible();
    await openTab(page, 'Activity Feed');
    await expect(page.getByText('Let Hugo Vega in as Viewer')).toBeVisible();
    await guest.context().close();
  },
);

test(
  'a team is made, joined and approved; a role gains a permission that counts at once',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/users?tab=teams');
    await expect(page.getByText('No teams found')).toBeVisible();
    await page.getByRole('button', { name: 'New Team' }).first().click();
    const form = page.getByRole('dialog', { name: 'New Team' });
    await form.getByLabel('Name').fill('Support desk');
    await form.getByLabel('Description').fill('Answers every chat within an hour.');
    await form.getByLabel('Feature tags').fill('VIP, Returns');
    await form.getByRole('switch', { name: 'New members need approval' }).check();
    await inWhole(() => expectFitsEverywhere(page, 'team-form'));
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Team Support desk created')).toBeVisible();
    await expect(page.getByText('1/10 members')).toBeVisible();
    await expectFitsEverywhere(page, 'teams');

    const manager = await openAs('manager');
    await manager.goto('/dashboard/users?tab=teams');
    await expect(manager.getByRole('button', { name: 'New Team' })).toHaveCount(0);
    await manager.getByRole('button', { name: 'View Team' }).click();
    await manager.getByRole('dialog').getByRole('button', { name: 'Ask to join' }).click();
    await expect(manager.getByText('You wait for approval.')).toBeVisible();

    await expect(page.getByText('1 waits')).toBeVisible();
    await page.getByRole('button', { name: 'View Team' }).click();
    const team = page.getByRole('dialog', { name: 'Support desk' });
    await team.getByRole('button', { name: 'Approve' }).click();
    await expect(team.getByText('2/10 members')).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'team'));
    await expect(manager.getByRole('button', { name: 'Leave Team' })).toBeVisible();
    await team.getByRole('button', { name: 'Close' }).last().click();

    const agent = await openAs('agent');
    await agent.goto('/dashboard');
    await expect(agent.getByRole('link', { name: 'Contacts' }).first()).toBeVisible();
    await expect(agent.getByRole('link', { name: 'User Management' })).toHaveCount(0);
    await openTab(page, 'Permissions');
    await expect(page.getByRole('button', { name: 'Edit Permissions' })).toBeVisible();
    await expectFitsEverywhere(page, 'permissions');
    await page.getByRole('button', { name: 'Edit Permissions' }).click();
    const matrix = page.getByRole('dialog', { name: 'Edit Permissions' });
    await matrix.getByRole('tab', { name: 'Agent' }).click();
    await matrix.getByRole('checkbox', { name: 'Read Users' }).check();
    await inWhole(() => expectFitsEverywhere(page, 'permissions-edit'));
    await matrix.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Permissions updated')).toBeVisible();
    await expect(agent.getByRole('link', { name: 'User Management' })).toBeVisible();
    await manager.goto('/dashboard/users?tab=permissions');
    await expect(manager.getByRole('row').filter({ hasText: 'Agent' })).toContainText('Edited');
    await expect(manager.getByRole('button', { name: 'Edit Permissions' })).toHaveCount(0);
  },
);
