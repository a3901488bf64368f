export type SharingNumber = {
  id: string;
  isConnected: boolean;
  stoppedFor: 'everything' | 'campaigns' | null;
};

/**
 * How many of the `perMinute` messages of a workspace leave through this of its numbers: all that may send share them equally, to the message. With
 * fewer messages than numbers it is a part of one, such as one in two minutes.
 */
export function shareOfMinute(perMinute: number, numbers: readonly SharingNumber[], id: string): number {
  // One that is about to send again has its share already.
  const sharing = numbers
    .filter((one) => one.id === id || (one.isConnected && one.stoppedFor !== 'everything'))
    .map((one) => one.id)
    .toSorted();
  const count = Math.max(1, sharing.length);
  const whole = Math.floor(perMinute / count);
  if (whole === 0) return perMinute / count;
  // What cannot be divided goes to the first ones.
  return sharing.indexOf(id) < perMinute % count ? whole + 1 : whole;
}
