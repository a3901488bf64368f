import type { Locator, Page } from '@playwright/test';
import {
  actKey,
  callSandbox,
  expect,
  expectAccessible,
  expectFitsEverywhere,
  keepPicture,
  test,
  WHOLE,
  inWhole,
} from './journey.ts';

type Accepted = { to: string }[] | { messages: { to: string }[] };

// The browser notes the refusal of a segment that was deleted, and what it asks for without a connection.
test.use({ allowedConsole: [/status of 409|ERR_INTERNET_DISCONNECTED/] });

test('a bulk message reaches everybody with a tag exactly once', async ({ openAs, product }) => {
  const page = await openAs('admin');
  const tag = `spring${Date.now()}`;
  const phones = await addContacts(page, tag, 5);
  await page.goto('/dashboard/bulk-message');

  await page.getByRole('button', { name: 'Next', exact: true }).click();
  const whyNot = page.getByText('Please select at least one contact to continue.');
  await expect(whyNot).toBeVisible();
  await keepPicture(page, 'bulk-message-why-not');
  // Beside the button, however long the list is and wherever it was scrolled to.
  for (const text of [whyNot, page.getByText('No contacts selected')])
    await expect(page.locator('footer').filter({ hasText: 'Next' }).filter({ has: text })).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Back' })).toBeDisabled();
  await page.getByRole('button', { name: tag }).click();
  await expect(page.getByText(`Added 5 contacts with tag "${tag}"`)).toBeVisible();
  await expect(page.getByText('5 contacts selected')).toBeVisible();

  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Choose Message' })).toBeVisible();
  await expect(page.getByRole('radio', { name: /Order Update/ })).toBeVisible();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText('Please select a template or write a custom message.')).toBeVisible();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await expect(page.getByText('1 of 5', { exact: true })).toBeVisible();
  const preview = page.getByRole('complementary', { name: 'Preview', exact: true });
  await expect(preview.getByText(/^Hello Spring \d, your order/)).toBeVisible();

  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText('5 people will get this message')).toBeVisible();
  await expect(page.getByText('$0.25')).toBeVisible();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect(page.getByRole('dialog').getByText(/Hello Spring \d, your order/)).toHaveCount(3);
  await expect(page.getByText('And 2 more contacts...')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Send to 5 contacts' }).dblclick();
  const question = page.getByRole('alertdialog', { name: 'Send this message to 5 people now?' });
  await expect(question).toContainText('Estimated cost$0.25');
  await question.getByRole('button', { name: 'Send' }).dblclick();
  await expect(page.getByText('Bulk message sent successfully to 5 contacts!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Select Contacts' })).toBeVisible();
  await expect(page.getByText('No contacts selected')).toBeVisible();

  await page.getByRole('link', { name: 'View campaign' }).click();
  await expect(page.getByRole('heading', { name: /^Bulk Message - / })).toBeVisible();
  await expect(page.getByText('Completed', { exact: true }).first()).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: inGroups(phones[0] ?? '') })).toBeVisible();
  const answer = await callSandbox<Accepted>(product, '/_sandbox/whatsapp/messages');
  const sent = (Array.isArray(answer) ? answer : answer.messages).map(({ to }) => to.replace(/^\+?/, '+'));
  for (const phone of phones) expect(sent.filter((to) => to === phone)).toHaveLength(1);
});

test('a message of one’s own clears the template and tells whom it can reach', WHOLE, async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/bulk-message');
  await page.getByRole('option', { name: /Ben Osei/ }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: /Welcome Message/ }).check();
  await page.getByLabel('Custom message').fill('Hi {{name}}, your code is {{code}}');
  await expect(page.getByRole('radio', { name: /Welcome Message/ })).not.toBeChecked();
  await expect(page.getByText('{{code}} has no value: the message will not be sent.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Value of code' }).click();
  await page.getByRole('option', { name: 'Fixed text' }).click();
  await page.getByLabel('Text for code').fill('X1');
  await expect(page.getByText(/will not be sent/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByText(/Free text reaches only people whose 24-hour window is open/)).toBeVisible();
  await page.getByRole('button', { name: 'Choose a template instead' }).click();
  await expect(page.getByRole('heading', { name: 'Choose Message' })).toBeVisible();
  await expect(page.getByLabel('Custom message')).toHaveValue('Hi {{name}}, your code is {{code}}');
});

test('a draft survives leaving the page, and a schedule lies in the future', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/bulk-message');
  await page.getByRole('option', { name: /Ann Lee/ }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  await expect(page).toHaveURL(/templates/);
  await page.goto('/dashboard/bulk-message');
  await expect(page.getByRole('radio', { name: /Order Update/ })).toBeChecked();

  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('switch', { name: 'Schedule for later' }).check();
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  // At the field, and beside the button that was pressed.
  await expect(page.getByText('Choose date and time.')).toHaveCount(2);
  await page.getByLabel('Send at').fill('2020-01-01T09:00');
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  await expect(page.getByText('This time has passed. Choose a later one.')).toHaveCount(2);
  await page.getByLabel('Send at').fill('2099-01-01T09:00');
  await page.getByRole('button', { name: /^Schedule for/ }).click();
  await expect(page.getByText('Bulk message scheduled successfully for 1 contacts!')).toBeVisible();
  await page.getByRole('link', { name: 'View campaign' }).click();
  await expect(page.getByText('Scheduled', { exact: true })).toBeVisible();
});

test('Back, Forward and reload move through the steps and lose nothing', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  const title = (name: string) => page.getByRole('heading', { name, exact: true });
  await page.goto('/dashboard/templates');
  await page.getByRole('link', { name: 'Bulk Message', exact: true }).click();
  await page.getByRole('option', { name: /Ann Lee/ }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(/step=message/);
  await expect(title('Choose Message')).toBeFocused();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(/step=review/);

  await page.goBack();
  await expect(title('Choose Message')).toBeFocused();
  await expect(page.getByRole('radio', { name: /Order Update/ })).toBeChecked();
  await page.goBack();
  await expect(title('Select Contacts')).toBeFocused();
  await expect(page.getByText('1 contact selected')).toBeVisible();
  await page.goForward();
  await page.goForward();
  await expect(title('Review & Send')).toBeFocused();
  await page.reload();
  await expect(page.getByText('1 person will get this message')).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(title('Select Contacts')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/templates/);
  await page.goForward();
  await expect(page.getByText('1 contact selected')).toBeVisible();

  // Nothing is chosen any more: no address leads past that.
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
  await page.goto('/dashboard/bulk-message?step=review');
  await expect(title('Select Contacts')).toBeVisible();
  await expect(page).toHaveURL(/bulk-message$/);
});

test('a draft that the device cannot keep is not left without a question', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/templates');
  await page.evaluate(() => {
    const store = Storage.prototype.setItem;
    Storage.prototype.setItem = function setItem(key, value) {
      if (key.includes('bulk-message')) throw new DOMException('full', 'QuotaExceededError');
      store.call(this, key, value);
    };
  });
  await page.getByRole('link', { name: 'Bulk Message', exact: true }).click();
  await page.getByRole('option', { name: /Ann Lee/ }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page).toHaveURL(/step=message/);
  await expect(page.getByText('Your draft is kept on this device')).toHaveCount(0);
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Select Contacts' })).toBeVisible();
  await page.goBack();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByText('1 contact selected')).toBeVisible();
  await page.goBack();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page).toHaveURL(/templates/);
});

test(
  'a segment is an audience; quiet hours hold it back; a deleted one is named',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const tag = `season${Date.now()}`;
    await addContacts(page, tag, 3);
    const name = `Season ${tag}`;
    const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: tag }] };
    const added = await page.request.post('/api/segments', { headers: actKey(), data: { name, rules } });
    const { id } = await added.json();
    await page.goto('/dashboard/bulk-message');
    await page.getByRole('button', { name: 'Choose segments' }).click();
    await expect(page.getByText(`Has the tag “${tag}”`)).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('3 contacts');
    await expectAccessible(page);
    await page.getByRole('checkbox', { name }).check();
    await expect(page.getByText(`Added 3 contacts from segment "${name}"`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('3 contacts selected')).toBeVisible();
    const person = page.getByRole('option', { name: /Spring 2/ }).first();
    await expect(person).toHaveAttribute('aria-selected', 'true');
    await person.click();
    await expect(page.getByText('2 contacts selected')).toBeVisible();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('radio', { name: /Order Update/ }).check();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByText('2 people will get this message')).toBeVisible();
    await page.getByRole('switch', { name: 'Quiet hours' }).check();
    await page.getByLabel('From', { exact: true }).fill('00:00');
    await page.getByLabel('To', { exact: true }).fill('23:59');
    await expect(page.getByText(/^That is a quiet hour: the first message leaves at /)).toBeVisible();

    await page.request.delete(`/api/segments/${id}`, { headers: actKey() });
    // The panel hears of it, and of how many are left.
    await page.getByRole('button', { name: /^Send( to 2 contacts)?$/ }).click();
    const question = page.getByRole('alertdialog');
    await expect(question.getByText(`The segment “${name}” was deleted.`)).toBeVisible();
    await expect(question.getByRole('button', { name: 'Send' })).toHaveCount(0);
    await question.getByRole('button', { name: 'Choose other contacts' }).click();
    await expect(page.getByText(`Deleted segment: ${name}`)).toBeVisible();
    await page.getByRole('button', { name: `Remove Deleted segment: ${name}` }).click();
    await page.getByRole('button', { name: tag }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await page.getByRole('button', { name: 'Send to 3 contacts' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('Bulk message scheduled successfully for 3 contacts!')).toBeVisible();
    await page.getByRole('link', { name: 'View campaign' }).click();
    await expect(page.getByText('Quiet hours. Sending continues automatically when they end.')).toBeVisible();
  },
);

test('contacts are chosen with the keyboard alone', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/bulk-message');
  const list = page.getByRole('listbox', { name: 'Contacts to choose from' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await expect(page.getByText('2 contacts selected')).toBeVisible();
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.keyboard.press('Tab');
  await page.keyboard.press(' ');
  await expect(page.getByText('1 taken out')).toBeVisible();
});

test(
  'without a connection the wizard says so, and goes on by itself when it is back',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('manager');
    await page.goto('/dashboard/bulk-message');
    await page.getByRole('option', { name: /Ann Lee/ }).click();
    await page.context().setOffline(true);
    await page.getByPlaceholder('Search by name, phone or email').fill('Ben');
    await expect(
      page.getByText(/^You are offline. The search covers what is kept on this device: /),
    ).toBeVisible();
    await expect(page.getByRole('option', { name: /Ann Lee/ })).toHaveCount(0);
    await page.context().setOffline(false);
    await expect(page.getByRole('option', { name: /Ben Osei/ })).toBeVisible();
    await page.getByPlaceholder('Search by name, phone or email').fill('');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByRole('radio', { name: /Order Update/ })).toBeVisible();

    await page.context().setOffline(true);
    await page.getByRole('radio', { name: /Order Update/ }).check();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await expect(page.getByText('This was not opened on this device yet').first()).toBeVisible();
    await page.context().setOffline(false);
    await expect(page.getByText('1 person will get this message')).toBeVisible();
  },
);

test(
  'a notification on a telephone covers neither the title nor the bar at the end',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin', { width: 360 });
    await addContacts(page, `cover${Date.now()}`, 1);
    await page.goto('/dashboard/bulk-message');
    await page
      .getByRole('button', { name: /^cover/ })
      .first()
      .click();
    const notification = page.locator('[data-notifications] p').first();
    await expect(notification).toBeVisible();
    const boxOf = async (target: Locator) => (await target.boundingBox()) ?? { y: Number.NaN, height: 0 };
    const shown = await boxOf(page.locator('[data-notifications] [aria-live] > div').first());
    const title = await boxOf(page.getByRole('heading', { level: 1 }));
    const bar = await boxOf(page.locator('footer').filter({ hasText: 'Next' }));
    expect(shown.y).toBeGreaterThan(title.y + title.height);
    expect(shown.y + shown.height).toBeLessThanOrEqual(bar.y);
  },
);

test('every step is accessible and fits a telephone', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/bulk-message');
  await page.getByRole('option').first().click();
  await expect(page.getByText('1 contact selected')).toBeVisible();
  await expectFitsEverywhere(page, 'bulk-contacts');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('radio', { name: /Order Update/ }).check();
  await inWhole(() => expectFitsEverywhere(page, 'bulk-message'));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('switch', { name: 'Schedule for later' }).check();
  await expect(page.getByText(/will get this message/)).toBeVisible();
  await expectFitsEverywhere(page, 'bulk-review');
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByText('No contacts selected')).toBeVisible();
});

async function addContacts(page: Page, tag: string, count: number): Promise<string[]> {
  const phones = Array.from({ length: count }, () => `+49151${String(Math.random()).slice(2, 10)}`);
  for (const [index, phone] of phones.entries()) {
    const answer = await page.request.post('/api/contacts', {
      headers: actKey(),
      data: { name: `Spring ${index}`, phone, tags: [tag] },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  return phones;
}

/** A number as pages show it. */
function inGroups(phone: string): RegExp {
  return new RegExp(`\\+${phone.slice(1).split('').join(' ?')}`);
}
