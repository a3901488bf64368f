import { readFileSync } from 'node:fs';
import {
  expect,
  expectFitsEverywhere,
  expectWordsFit,
  inWhole,
  actKey,
  openIn,
  test,
  WHOLE,
} from './journey.ts';

test('the page shows the figures of a period, narrows them and gives them as files', async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/analytics');
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible();
  const figures = page.getByLabel('Key figures');
  for (const label of ['Messages', 'Delivery Rate', 'Read Rate', 'Response Rate'])
    await expect(figures.getByText(label, { exact: true })).toBeVisible();
  await expect(figures.getByText('vs previous period')).toHaveCount(4);
  await expect(page.getByText('Peak hours: 12:00 PM - 6:00 PM', { exact: true })).toBeVisible();
  for (const name of [
    'Message Volume',
    'Message Status Distribution',
    'Campaign Performance',
    'Best Time to Send',
  ])
    await expect(page.getByRole('heading', { name })).toBeVisible();
  await expect(page.getByRole('listitem').filter({ hasText: 'Delivered' }).first()).toBeVisible();
  await expectFitsEverywhere(page, 'analytics');
  // On a phone the list of the ring stands below it, and leaves it room.
  const desk = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 780 });
  const ring = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Message Status Distribution' }) })
    .locator('[data-drawing] svg[viewBox="0 0 100 100"]');
  await expect.poll(async () => (await ring.boundingBox())?.height).toBeGreaterThan(120);
  await page.setViewportSize(desk);

  // The chart shows what is chosen, its table says the same, and the address keeps both.
  await page.getByRole('combobox', { name: 'Shown' }).selectOption('Read');
  const volume = page.getByRole('table', { name: 'Message Volume' });
  await expect(volume.getByRole('columnheader', { name: 'Read' })).toBeAttached();
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 7 days');
  await expect(volume.getByRole('row')).toHaveCount(8);
  await expect(page).toHaveURL(/period=7days/);
  await expect(page).toHaveURL(/shown=read/);
  await page.reload();
  await expect(volume.getByRole('row')).toHaveCount(8);

  // Filters stand behind one button; what is chosen is in sight and in the address, and goes with one press.
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('Month');
  await expect(page).toHaveURL(/by=month/);
  await page.getByRole('combobox', { name: 'Group by' }).selectOption('Automatic');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('combobox', { name: 'Template' }).selectOption('Order Update');
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Asia/Tokyo');
  await expect(
    page.getByText('Messages read, by hour of the day (Asia/Tokyo)', { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveURL(/zone=Asia/);
  await page.getByRole('button', { name: 'Remove the filter Template: Order Update' }).click();
  await page.getByRole('button', { name: 'Remove the filter Time zone: Asia/Tokyo' }).click();
  await expect(page).not.toHaveURL(/zone=|template=/);
  await page.getByRole('button', { name: 'Filters', exact: true }).click();

  // What is looked at is saved under a name, for oneself, and comes back with one press.
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save this view' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Reads of the week');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 90 days');
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Reads of the week' }).click();
  await expect(page).toHaveURL(/period=7days/);
  await expect(page.getByRole('button', { name: 'Reads of the week' })).toBeVisible();

  // It gets another name by keyboard; another window follows that, and its end.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Views', exact: true }).click();
  await expect(other.getByRole('menuitem', { name: 'Reads of the week', exact: true })).toBeVisible();
  await other.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Reads of the week' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Rename the view Reads of the week' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Rename view' })
    .getByRole('textbox', { name: 'Name' })
    .fill('Weekly');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Weekly', exact: true })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Weekly', exact: true })).toBeVisible();
  await other.getByRole('button', { name: 'Weekly', exact: true }).click();
  await other.getByRole('menuitem', { name: 'Delete the view Weekly' }).click();
  await other.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Views', exact: true })).toBeVisible();
  await other.close();

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Message Volume as CSV' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('Message Volume.csv');
  const lines = readFileSync((await file.path())!, 'utf8')
    .trim()
    .split('\r\n');
  expect(lines[0]).toBe('Day,Sent,Delivered,Read,Failed,Replied');
  expect(lines).toHaveLength(8);

  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect(figures.getByText('vs previous period')).toHaveCount(4);

  // Points of a chart are walked by keyboard.
  const chart = page.getByRole('application', { name: /^Message Volume/ });
  await chart.press('End');
  await expect(chart.locator('[aria-live]')).toHaveText(/: Read [\d,]+$/);

  // Printed as it is, its charts are drawn as wide as paper, so that their letters stay as large.
  const drawn = chart.locator('svg[viewBox]').first();
  const wide = Number(await drawn.getAttribute('width'));
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 703, height: 1_000 });
  const [width, shown] = [Number(await drawn.getAttribute('width')), (await drawn.boundingBox())!.width];
  expect(width).toBeLessThan(wide);
  expect(shown / width).toBeGreaterThan(0.95);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(desk);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(async () => Number(await drawn.getAttribute('width'))).toBe(wide);
});

test('a number shows its people, who become a segment, a list or a message', async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/analytics');
  await page.getByLabel('Key figures').getByTitle('Show the people of Read').click();
  const dialog = page.getByRole('dialog', { name: 'People who read messages' });
  await expect(dialog.getByText('2 people', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('link')).toHaveCount(2);
  await expect(page).toHaveURL(/people=read/);
  await page.reload();
  await expect(dialog.getByRole('link')).toHaveCount(2);

  await dialog.getByRole('button', { name: 'Show in contacts' }).click();
  await expect(page.getByRole('combobox', { name: 'Show', exact: true })).toHaveValue(/^report:read;/);
  await page.goBack();
  await dialog.getByRole('button', { name: 'Write to them' }).click();
  await expect(page).toHaveURL(/bulk-message/);
  await expect(page.getByText('2 contacts selected')).toBeVisible();

  // The table of a chart has the same people behind its numbers.
  await page.goto('/dashboard/analytics');
  const panel = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Campaign Performance' }) });
  await panel.getByRole('button', { name: 'Chart actions' }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  await panel
    .getByRole('row', { name: /Welcome Campaign/ })
    .getByRole('button')
    .first()
    .click();
  const sent = page.getByRole('dialog', { name: 'People you sent messages to' });
  await sent.getByRole('button', { name: 'Save as segment' }).click();
  await page.getByRole('dialog', { name: 'Save as Segment' }).getByRole('textbox').fill('Got the welcome');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('combobox', { name: 'Show', exact: true })).toHaveValue(/^segment:/);
});

test('sections answer one question each: failures, inbox and audience', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/analytics?period=1year');
  await page.getByRole('tab', { name: 'Audience' }).click();
  await expect(page).toHaveURL(/section=audience/);
  await expect(page.getByRole('heading', { name: 'Where do they come from?' })).toBeVisible();
  await expect(page.getByRole('row', { name: /New contacts: / }).first()).toBeVisible();
  await page.getByRole('tab', { name: 'Inbox' }).click();
  await expect(page.getByText('Waiting now')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'By member' })).toBeVisible();
  await page.getByRole('tab', { name: 'Results' }).click();
  await expect(page.getByRole('heading', { name: 'How far did your messages get?' })).toBeVisible();
  await expect(page.getByRole('row', { name: /Welcome Campaign/ }).first()).toBeVisible();
  await inWhole(() => expectFitsEverywhere(page, 'analytics-results'));
  await page.getByRole('tab', { name: 'Automation' }).click();
  await expect(page.getByRole('heading', { name: 'How did your workflows end?' })).toBeVisible();
  await page.getByRole('tab', { name: 'Failures' }).click();
  await expect(page.getByRole('heading', { name: 'Why did messages fail?' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Failures' })).toHaveAttribute('aria-selected', 'true');
  await inWhole(() => expectFitsEverywhere(page, 'analytics-failures'));
});

test('the page prints as a report of all sections, and comes back', WHOLE, async ({ openAs }) => {
  const page = await openAs('manager');
  await page.goto('/dashboard/analytics?period=90days&section=audience');
  // The dialog of the browser is not ours: here it is closed at once, as by a person.
  await page.evaluate(() => {
    window.print = () => {
      document.title = 'printed';
    };
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Print or save as PDF' }).click();
  await expect(page).toHaveTitle('printed');
  for (const name of ['Overview', 'Results', 'Failures', 'Inbox', 'Audience', 'Automation'])
    await expect(page.getByRole('heading', { name, exact: true, level: 2 })).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Close' })).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  // As wide as A4 inside its margins: where a card is narrow, no icon stands on its words.
  const desk = page.viewportSize()!;
  await page.setViewportSize({ width: 703, height: 900 });
  const overlaps = page.locator('dt').evaluateAll((terms) =>
    terms.flatMap((term) => {
      const [words, icon] = [...term.children];
      const isDrawn = icon !== undefined && icon.getClientRects().length > 0;
      const end = Math.max(0, (words?.getBoundingClientRect().left ?? 0) + (words?.scrollWidth ?? 0));
      return isDrawn && end > icon.getBoundingClientRect().left ? [term.textContent] : [];
    }),
  );
  expect(await overlaps).toEqual([]);
  await page.setViewportSize(desk);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.getByRole('tab', { name: 'Audience' })).toHaveAttribute('aria-selected', 'true');

  // A number of any section opens its people.
  await page
    .getByRole('row', { name: /New contacts: / })
    .getByRole('button')
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'New contacts' });
  await expect(dialog.getByText('2 people', { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Write to them' })).toBeVisible();
});

test(
  'a segment that is deleted since is said once, and one press shows the figures again',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('admin');
    const rules = { match: 'all', conditions: [{ kind: 'has_tag', value: 'vip' }] };
    const data = { name: 'Gone soon', rules };
    const added = await page.request.post('/api/segments', { headers: actKey(), data });
    const { id } = (await added.json()) as { id: string };
    await page.goto(`/dashboard/analytics?segment=${id}`);
    await expect(page.getByRole('button', { name: 'Remove the filter Segment: Gone soon' })).toBeVisible();
    await expect(page.getByLabel('Key figures').getByText('Messages', { exact: true })).toBeVisible();

    await page.goto('/dashboard');
    await page.request.delete(`/api/segments/${id}`, { headers: actKey() });
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400 && response.url().includes('/analytics/')) refused.push(response.url());
    });
    await page.goto(`/dashboard/analytics?segment=${id}`);
    await expect(page.getByText('This segment no longer exists.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await inWhole(() => expectFitsEverywhere(page, 'analytics-gone'));
    expect(refused).toEqual([]);
    await page.getByRole('button', { name: 'Remove the filter', exact: true }).press('Enter');
    await expect(page.getByLabel('Key figures').getByText('Messages', { exact: true })).toBeVisible();
    await expect(page).not.toHaveURL(/segment=/);
  },
);

test('a period of one’s own, by keyboard, says what is wrong with it', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  await page.goto('/dashboard/analytics');
  await page.getByRole('combobox', { name: 'Period' }).focus();
  await page.keyboard.type('Custom');
  await expect(page.getByLabel('From')).toHaveValue(/^\d{4}-\d\d-\d\d$/);
  await page.getByLabel('From').fill('2026-03-10');
  await page.getByLabel('To', { exact: true }).fill('2026-03-01');
  await expect(page.getByText('Choose an end that is not before the beginning')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('2026-03-31');
  await expect(page.getByText('Choose an end')).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Message Volume' }).getByRole('row')).toHaveCount(23);
  await expect(page.getByText('Too few messages were read to say when is best.')).toBeVisible();
  await inWhole(() => expectFitsEverywhere(page, 'analytics-custom'));
});

test('whoever may not read analytics finds no entry and no page', WHOLE, async ({ openAs }) => {
  const page = await openAs('agent');
  await page.goto('/dashboard/analytics');
  await expect(page.getByText('Access Denied')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Analytics' })).toHaveCount(0);
});

test('its words fit in every language', WHOLE, async ({ openAs }) => {
  const page = await openAs('admin');
  const titles = { es: 'Analítica', fr: 'Statistiques', de: 'Auswertungen', pt: 'Análises', en: 'Analytics' };
  for (const [language, title] of Object.entries(titles)) {
    await openIn(page, language, '/dashboard/analytics');
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible();
    await expectWordsFit(page, `analytics-${language}`);
  }
});
