/** What is known of one message after the channel accepted it. */
export type DeliveryStatus = 'accepted' | 'sent' | 'delivered' | 'read' | 'played' | 'failed';

/** Earliest time in milliseconds at which each status was reported; absent when it never was. */
export type DeliveryTimeline = { readonly [status in DeliveryStatus]?: number };

/** The furthest status reported; `failed` counts only while nothing showed that the message arrived. */
export function currentDeliveryStatus(timeline: DeliveryTimeline): DeliveryStatus {
  if (timeline.played !== undefined) return 'played';
  if (timeline.read !== undefined) return 'read';
  if (timeline.delivered !== undefined) return 'delivered';
  if (timeline.failed !== undefined) return 'failed';
  return timeline.sent !== undefined ? 'sent' : 'accepted';
}
