import { expect, it } from 'vitest';
import { currentDeliveryStatus, type DeliveryStatus, type DeliveryTimeline } from './delivery-status.ts';

it.each<[DeliveryStatus, DeliveryTimeline]>([
  ['accepted', {}],
  ['sent', { sent: 1 }],
  ['read', { sent: 1, delivered: 2, read: 3 }],
  ['played', { read: 3, played: 4 }],
  ['failed', { sent: 1, failed: 2 }],
  ['delivered', { failed: 1, delivered: 2 }],
  ['delivered', { delivered: 1, failed: 2 }],
  ['read', { read: 1, failed: 2 }],
])('a message is %s after %o', (status, timeline) => {
  expect(currentDeliveryStatus(timeline)).toBe(status);
});
