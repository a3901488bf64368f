/** A UUID version 7: unique, and later ids sort after earlier ones, so that indexes grow at one end. */
export function newId(now = Date.now()): string {
  const time = Math.floor(now).toString(16).padStart(12, '0');
  // The platform draws chance for many of these at once, and for single bytes one by one.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
