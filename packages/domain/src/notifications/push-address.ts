const LONGEST = 1_000;
/** A name with a dot, whose end is no number: an address of the network is nobody's push service. Without a port, a name before it, or a mark behind it. */
const ADDRESS = /^https:\/\/(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]+(?:\/[^\s#]*)?$/;
const KEY_BYTES = { p256dh: 65, auth: 16 } as const;

/** Where a browser wants to be pushed to, if that can be a push service; what it says comes from anybody. */
export function isPushAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text);
}

/** Whether a key has the length that it must have; whether it is one shows when it is used. */
export function isPushKey(name: keyof typeof KEY_BYTES, text: string): boolean {
  return /^[\w-]+$/.test(text) && Math.floor((text.length * 3) / 4) === KEY_BYTES[name];
}

/** More browsers of one person than that are none of theirs: the oldest goes. */
export const MOST_BROWSERS = 10;
