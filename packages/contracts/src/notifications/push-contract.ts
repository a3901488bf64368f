import { isPushAddress, isPushKey } from '@app/domain/notifications/push-address';
import { z } from 'zod';
import { endpoint, id, instant } from '../endpoint.ts';

/** A browser that the caller wants to be told in. */
export const pushBrowser = z.object({
  id,
  /** As the browser calls itself. */
  userAgent: z.string(),
  /** Asked for in the session that asks now. */
  isThis: z.boolean(),
  /** What it is about stands on the lock screen. */
  showsText: z.boolean(),
  createdAt: instant,
  sentAt: instant.nullable(),
});

const browsers = z.object({
  /** By which browsers know this installation. */
  publicKey: z.string(),
  items: z.array(pushBrowser),
});
const one = z.strictObject({ browserId: id });

export const pushContract = {
  listBrowsers: endpoint({
    method: 'GET',
    path: '/notifications/browsers',
    access: 'signed-in',
    summary: 'The browsers in which the caller is told, whatever page they show',
    input: z.object({}),
    output: browsers,
  }),
  addBrowser: endpoint({
    method: 'POST',
    path: '/notifications/browsers',
    access: 'signed-in',
    repeat: { harmless: 'The same browser again is the same one.' },
    summary: 'Tells the caller in this browser, too, until they sign out of it',
    input: z.strictObject({
      endpoint: z.string().max(1_000).refine(isPushAddress, 'This is no address of a push service.'),
      p256dh: z.string().refine((text) => isPushKey('p256dh', text), 'This is no key.'),
      auth: z.string().refine((text) => isPushKey('auth', text), 'This is no key.'),
    }),
    output: browsers,
  }),
  changeBrowser: endpoint({
    method: 'PATCH',
    path: '/notifications/browsers/{browserId}',
    access: 'signed-in',
    repeat: { harmless: 'It sets a whole value.' },
    summary: 'Whether it says on the lock screen what a notification is about',
    input: one.extend({ showsText: z.boolean() }),
    output: browsers,
    errors: ['browser_not_found'],
  }),
  removeBrowser: endpoint({
    method: 'DELETE',
    path: '/notifications/browsers/{browserId}',
    access: 'signed-in',
    repeat: { harmless: 'What is gone stays gone.' },
    summary: 'Tells the caller nothing more in that browser',
    input: one,
    output: browsers,
    errors: ['browser_not_found'],
  }),
  testBrowser: endpoint({
    method: 'POST',
    path: '/notifications/browsers/{browserId}/test',
    access: 'signed-in',
    repeat: { harmless: 'While one is on its way there is no second one.' },
    summary: 'Shows in one browser of the caller how a notification looks',
    input: one,
    output: z.object({}),
    errors: ['browser_not_found'],
  }),
};
