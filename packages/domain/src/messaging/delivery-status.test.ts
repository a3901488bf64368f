import { describe, expect, it } from 'vitest';
import {
  addStatus,
  currentDeliveryStatus,
  deliveredAt,
  type DeliveryStatus,
  type DeliveryTimeline,
  failedAt,
  readAt,
} from './delivery-status.ts';

function report(...statuses: [DeliveryStatus, number][]): DeliveryTimeline {
  return statuses.reduce<DeliveryTimeline>((timeline, [status, at]) => addStatus(timeline, status, at), {});
}

describe('delivery status', () => {
  it.each<[DeliveryStatus, [DeliveryStatus, number][]]>([
    ['accepted', []],
    ['sent', [['sent', 1]]],
    [
      'read',
      [
        ['read', 3],
        ['delivered', 2],
        ['sent', 1],
      ],
    ],
    [
      'played',
      [
        ['played', 4],
        ['read', 3],
      ],
    ],
    [
      'failed',
      [
        ['failed', 2],
        ['sent', 1],
      ],
    ],
    [
      'delivered',
      [
        ['failed', 1],
        ['delivered', 2],
      ],
    ],
    [
      'delivered',
      [
        ['delivered', 1],
        ['failed', 2],
      ],
    ],
    [
      'read',
      [
        ['read', 1],
        ['failed', 2],
      ],
    ],
  ])('is %s after %o', (status, reports) => {
    expect(currentDeliveryStatus(report(...reports))).toBe(status);
    expect(report(...reports.toReversed())).toEqual(report(...reports));
  });

  it('takes reading as delivery when no delivery was reported', () => {
    expect(deliveredAt(report(['read', 30]))).toBe(30);
    expect(deliveredAt(report(['played', 40]))).toBe(40);
    expect(readAt(report(['played', 40]))).toBe(40);
    expect(deliveredAt(report(['read', 30], ['delivered', 20]))).toBe(20);
    expect(deliveredAt(report(['sent', 10]))).toBeUndefined();
  });

  it('keeps the earliest time of a doubled report and leaves the timeline alone otherwise', () => {
    const once = report(['sent', 10]);
    expect(addStatus(once, 'sent', 11)).toBe(once);
    expect(addStatus(once, 'sent', 9)).toEqual({ sent: 9 });
  });

  it('forgets a failure that was overtaken by arrival', () => {
    expect(failedAt(report(['failed', 5]))).toBe(5);
    expect(failedAt(report(['failed', 5], ['delivered', 6]))).toBeUndefined();
  });
});
