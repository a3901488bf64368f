import type { Page } from '@playwright/test';
import { expect, test, WHOLE } from './journey.ts';

// The feed tells of each sign-in.
test.use({ isFirstVisit: true });

test('the feed follows what others do, and is searched and filtered', WHOLE, async ({ openAs }) => {
  const admin = await openAs('admin');
  await admin.goto('/dashboard');
  const feed = admin.getByRole('list', { name: 'User Activity Feed' });
  await expect(feed).toContainText('Signed in');
  await expect(admin.getByRole('switch', { name: 'Auto-refresh' })).toBeChecked();

  const agent = await openAs('agent');
  await expect(feed).toContainText('Ayla Kaya');
  await agent.goto('/dashboard');
  await agent.getByRole('link', { name: 'Add New Contact' }).click();
  await expect(feed).toContainText('Clicked Add New Contact');

  await admin.getByLabel('Search activities').fill('clicked add');
  await expect(feed.getByRole('listitem')).toHaveCount(1);
  await admin.getByLabel('Search activities').fill('nothing like this');
  await expect(admin.getByText('No activities found')).toBeVisible();
  await admin.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(feed).toContainText('Signed in');
  expect(await feed.getByRole('listitem').count()).toBeLessThanOrEqual(10);
});

test(
  'with auto-refresh off the feed stands still until it is refreshed by hand',
  WHOLE,
  async ({ openAs }) => {
    const admin = await openAs('admin');
    await admin.goto('/dashboard');
    const feed = admin.getByRole('list', { name: 'User Activity Feed' });
    await expect(feed).toContainText('Signed in');
    await admin.getByRole('switch', { name: 'Auto-refresh' }).uncheck();
    const manager = await openAs('manager');
    await manager.goto('/dashboard');
    // How long ago each was moves on by itself.
    const readFeed = () =>
      feed
        .getByRole('paragraph')
        .filter({ hasNot: admin.locator('time') })
        .allTextContents();
    const before = await readFeed();
    expect(before).not.toEqual([]);
    await manager.getByRole('link', { name: 'Create Template' }).click();
    await manager.waitForURL(/templates/);
    await expect
      .poll(async () =>
        (await (await manager.request.get('/api/activities?limit=1')).text()).includes('Create Template'),
      )
      .toBe(true);
    expect(await readFeed()).toEqual(before);
    await admin.getByRole('button', { name: 'Refresh' }).click();
    await expect(feed).toContainText('Clicked Create Template');
  },
);

test('the sidebar shows who is online', WHOLE, async ({ openAs }) => {
  const admin = await openAs('admin');
  // A slow line: the first answer was written before the admin's own stream was noted, and arrives after the news of it.
  let isFirst = true;
  let noteAsked = () => {};
  const asked = new Promise<void>((resolve) => (noteAsked = resolve));
  await admin.route('**/api/events?*', async (route) => {
    await asked;
    return route.continue();
  });
  await admin.route('**/api/rpc/activity/listOnline*', async (route) => {
    const isEarly = isFirst;
    isFirst = false;
    noteAsked();
    if (!isEarly) return route.continue();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return route.fulfill({ json: { json: { people: [] } } });
  });
  await admin.goto('/dashboard');
  const sidebar = admin.getByRole('complementary');
  await expect(sidebar.getByText(/^\d+ online$/)).toBeVisible();
  const viewer = await openAs('viewer');
  await viewer.goto('/dashboard');
  await sidebar.getByRole('button', { name: /online/ }).click();
  await expect(sidebar.getByRole('listitem').filter({ hasText: 'Victor Lindqvist' })).toContainText('Active');
  await expect(sidebar.getByRole('listitem').filter({ hasText: 'Amara Okafor' })).toContainText('(you)');
  await viewer.close();
  await expect(sidebar.getByRole('listitem').filter({ hasText: 'Victor Lindqvist' })).toHaveCount(0);
});

test(
  'four tabs of a browser share one stream, and another takes over when its tab is closed',
  WHOLE,
  async ({ openAs }) => {
    const first = await openAs('manager');
    const streams: string[] = [];
    first.context().on('request', (request) => {
      if (request.url().includes('/api/events')) streams.push(request.url());
    });
    await first.goto('/dashboard');
    const isLive = (page: Page) => expect(page.getByText('Real-time Updates Active')).toBeVisible();
    await isLive(first);
    const others = [];
    for (let tab = 0; tab < 3; tab += 1) others.push(await first.context().newPage());
    for (const tab of others) await tab.goto('/dashboard');
    for (const tab of others) await isLive(tab);
    expect(streams).toHaveLength(1);

    await first.close();
    await expect.poll(() => streams.length).toBe(2);
    const agent = await openAs('agent');
    await agent.goto('/dashboard');
    await agent.getByRole('link', { name: 'Send Quick Message' }).click();
    for (const tab of others)
      await expect(tab.getByRole('list', { name: 'User Activity Feed' })).toContainText(
        'Clicked Send Quick Message',
      );
    for (const tab of others) await tab.close();
  },
);
