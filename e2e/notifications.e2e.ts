import type { Worker } from '@playwright/test';
import { expect, expectFitsEverywhere, test, WHOLE } from './journey.ts';

test.use({ serviceWorkers: 'allow', isFirstVisit: true });

test(
  'somebody without settings chooses what they are told of, and what is pushed is shown and opens its page',
  WHOLE,
  async ({ openAs }) => {
    const page = await openAs('agent');
    await page.goto('/dashboard/profile?tab=notifications');
    const replies = page.getByRole('checkbox', { name: 'New replies: Email' });
    await replies.uncheck();
    await page.getByRole('switch', { name: /^Push/ }).uncheck();
    await expect(page.getByRole('checkbox', { name: 'New replies: Push' })).toBeDisabled();
    await page.getByRole('button', { name: 'Save Settings' }).click();
    await expect(page.getByText('Settings saved successfully!')).toBeVisible();
    await expectFitsEverywhere(page, 'notifications-choices');
    await page.getByRole('tab', { name: 'Preferences' }).click();
    await expect(page.getByRole('switch', { name: 'Push notifications' })).not.toBeChecked();
    await page.getByRole('switch', { name: 'Push notifications' }).check();
    await page.getByRole('button', { name: 'Save Preferences' }).click();
    await page.getByRole('tab', { name: 'Notifications' }).click();
    await expect(page.getByRole('switch', { name: /^Push/ })).toBeChecked();
    await expect(replies).not.toBeChecked();

    const context = page.context();
    // It is there before it has been activated, and takes no push until then.
    await page.evaluate(async () => {
      const { active } = await navigator.serviceWorker.ready;
      while (active && active.state !== 'activated')
        await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
    });
    const [worker] = context.serviceWorkers();
    if (!worker) throw new Error('The app has no worker.');
    await lendScreen(worker);
    const devtools = await context.newCDPSession(page);
    const versions = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const own = registrations.find(
          ({ scopeURL, isDeleted }) => !isDeleted && scopeURL.startsWith(new URL(page.url()).origin),
        );
        if (own) resolve(own.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const news = {
      title: 'Corner Shop',
      body: 'There is news for you.',
      tag: 'one',
      path: '/dashboard/campaigns',
    };
    await devtools.send('ServiceWorker.deliverPushMessage', {
      ...{ origin: new URL(page.url()).origin, registrationId: await versions, data: JSON.stringify(news) },
    });
    const shown = () =>
      worker.evaluate(() => (globalThis as unknown as LentScreen).shown.map(({ news: of }) => of));
    await expect.poll(shown).toEqual([{ title: news.title, body: news.body, tag: news.tag }]);
    await worker.evaluate(() => (globalThis as unknown as LentScreen).shown[0]?.press());
    await expect(page).toHaveURL(/\/dashboard\/campaigns/);
    expect(await shown()).toEqual([]);
  },
);

type News = { title: string; body?: string | undefined; tag?: string | undefined };
type LentScreen = { shown: { news: News; press: () => void }[] };

/**
 * Gives the worker a place to show notifications: a Chromium without windows has none, and says "denied" whatever permission it was given. A press is told as
 * a browser tells it.
 */
async function lendScreen(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const scope = globalThis as unknown as LentScreen & {
      registration: { showNotification: (title: string, options?: NotificationOptions) => Promise<void> };
    };
    scope.shown = [];
    scope.registration.showNotification = async (title, { body, tag, data } = {}) => {
      const close = () => {
        scope.shown = scope.shown.filter((each) => each !== entry);
      };
      const press = () =>
        dispatchEvent(
          Object.assign(new Event('notificationclick'), {
            notification: { data, close },
            waitUntil: (work: Promise<unknown>) => work,
          }),
        );
      const entry = { news: { title, body, tag }, press };
      // The same tag takes the place of the one before.
      scope.shown = [...scope.shown.filter((each) => each.news.tag !== tag), entry];
    };
  });
}
