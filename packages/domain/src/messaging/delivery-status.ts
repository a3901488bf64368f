/** What is known of one message after the channel accepted it. */
export type DeliveryStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed';

/** Earliest time in milliseconds at which each status was reported; absent when it never was. */
export type DeliveryTimeline = { readonly [status in DeliveryStatus]?: number };

/** Order on the way to the reader. `failed` has no place on it: see `currentDeliveryStatus`. */
export const deliveryStatusRank = { accepted: 0, sent: 1, delivered: 2, read: 3, played: 4 } as const;

/**
 * Adds one reported status. Reports come doubled and in any order: the result is the same for every order, because each
 * status keeps its earliest time.
 */
export function addStatus(
  timeline: DeliveryTimeline,
  status: DeliveryStatus,
  atMs: number,
): DeliveryTimeline {
  const known = timeline[status];
  return known !== undefined && known <= atMs ? timeline : { ...timeline, [status]: atMs };
}

/** The furthest status reported; `failed` counts only while nothing showed that the message arrived. */
export function currentDeliveryStatus(timeline: DeliveryTimeline): DeliveryStatus {
  if (timeline.played !== undefined) return 'played';
  if (timeline.read !== undefined) return 'read';
  if (timeline.delivered !== undefined) return 'delivered';
  if (timeline.failed !== undefined) return 'failed';
  return timeline.sent !== undefined ? 'sent' : 'accepted';
}

/** When the message was read, in milliseconds. Playing implies reading. */
export function readAt(timeline: DeliveryTimeline): number | undefined {
  return timeline.read ?? timeline.played;
}

/** When the message arrived, in milliseconds. The platform leaves `delivered` out when the chat is open: reading implies it. */
export function deliveredAt(timeline: DeliveryTimeline): number | undefined {
  return timeline.delivered ?? readAt(timeline);
}

/** When the message failed for good, in milliseconds, or undefined when it arrived after all. */
export function failedAt(timeline: DeliveryTimeline): number | undefined {
  return currentDeliveryStatus(timeline) === 'failed' ? timeline.failed : undefined;
}
