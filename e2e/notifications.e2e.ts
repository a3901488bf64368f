import { expect, expectFitsEverywhere, test } from './journey.ts';

test.use({ serviceWorkers: 'allow', isFirstVisit: true });

test('somebody without settings chooses what they are told of, and a browser shows what is pushed and opens it', async ({
  openAs,
}) => {
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
  await context.grantPermissions(['notifications']);
  // It is there before it has been activated, and takes no push until then.
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active && active.state !== 'activated')
      await new Promise((resolve) => active.addEventListener('statechange', resolve, { once: true }));
  });
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
    page.evaluate(async () => {
      const found = await (await navigator.serviceWorker.ready).getNotifications();
      return found.map(({ title, body, tag }) => ({ title, body, tag }));
    });
  await expect.poll(shown).toEqual([{ title: news.title, body: news.body, tag: news.tag }]);
  // Pressed, as the browser says it to the worker.
  const [worker] = context.serviceWorkers();
  await worker?.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
    };
    const [notification] = await scope.registration.getNotifications();
    if (notification) dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  });
  await expect(page).toHaveURL(/\/dashboard\/campaigns/);
  expect(await shown()).toEqual([]);
});
