import { callSandbox, expect, expectFitsEverywhere, test, inWhole, WHOLE } from './journey.ts';
import type { Product } from './run-product.ts';

/** A customer writes from their phone. */
const write = (product: Product, text: string) =>
  callSandbox(product, '/_sandbox/whatsapp/inbound', { from: '4915112345678', name: 'Jana Brandt', text });

test(
  'a conversation is given to a colleague, labelled, put aside and resolved, and each can be undone',
  WHOLE,
  async ({ openAs, product }) => {
    const page = await openAs('admin');
    await page.goto('/dashboard/inbox?dialog=settings');
    const settings = page.getByRole('dialog', { name: 'Inbox settings' });
    await settings.getByRole('tab', { name: 'Times' }).click();
    await settings.getByLabel('First answer within').fill('60');
    await settings.getByRole('button', { name: 'Add targets' }).click();
    await expect(settings.getByRole('combobox', { name: 'Priority' })).toHaveText('Urgent');
    await settings.getByLabel('First answer within').nth(1).fill('10');
    await expectFitsEverywhere(page, 'inbox-settings-times');
    await settings.getByRole('tab', { name: 'Labels' }).click();
    await settings.getByLabel('New label').fill('Urgent');
    await settings.getByLabel('New label').press('Enter');
    await expect(settings.getByLabel('Name of Urgent')).toBeVisible();
    await settings.getByRole('tab', { name: 'Assignment' }).click();
    await settings.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('The settings of the inbox are saved')).toBeVisible();

    await write(product, 'Is my order on its way?');
    await page.goto('/dashboard/inbox?due=next');
    await page
      .getByRole('link', { name: /Jana Brandt/ })
      .first()
      .click();
    await expect(page.getByText(/Answer due in/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await expect(page.getByRole('option', { name: 'Assign to me' })).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'inbox-assign'));
    await page.getByRole('combobox', { name: 'Search people and teams' }).fill('ama');
    await page.keyboard.press('Enter');
    // It goes after some seconds, unless it has the focus.
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.focus();
    await expect(page.getByRole('button', { name: /^Assigned to/ })).toBeVisible();
    await undo.press('Enter');
    await expect(page.getByRole('button', { name: 'Assign', exact: true })).toBeVisible();

    await page.getByRole('button', { name: 'Edit labels' }).click();
    await page.getByRole('option', { name: 'Urgent' }).click();
    await expect(page.getByRole('option', { name: 'Urgent', selected: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('link', { name: /^Jana Brandt.*Labelled Urgent/ })).toBeVisible();
    await expect(page.getByText(/added Urgent/)).toBeVisible();
    await expect(page.getByText(/Answer due in (1 hr|59 min)/).first()).toBeVisible();
    await page.getByRole('button', { name: 'Priority: Normal' }).click();
    await page.getByRole('menuitem', { name: 'Urgent' }).click();
    await expect(page.getByRole('link', { name: /^Jana Brandt.*Priority: Urgent/ })).toBeVisible();
    await expect(page.getByText(/set the priority to Urgent/)).toBeVisible();
    await expect(page.getByText(/Answer due in (10|9) min/).first()).toBeVisible();
    await inWhole(() => expectFitsEverywhere(page, 'inbox-acts'));
    await page.getByRole('button', { name: 'Status: Open' }).click();
    await page.getByRole('menuitem', { name: 'Snooze until tomorrow' }).click();
    await expect(page.getByRole('button', { name: /^Status: Snoozed until/ })).toBeVisible();
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Open again' })).toBeVisible();

    await expect(page.getByText(/resolved this/)).toBeVisible();

    // Another customer's message opens it again, in front of everybody.
    await write(product, 'Hello?');
    await expect(page.getByRole('button', { name: 'Resolve', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Block contact' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block contact' }).click();
    await expect(page.getByText('Jana Brandt is blocked', { exact: true })).toBeVisible();
  },
);
