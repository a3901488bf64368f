/** What came of asking a platform for anything but a message. */
export type PlatformAnswer<Value> =
  | { outcome: 'done'; value: Value }
  /** `reason` is one plain sentence for people. */
  | { outcome: 'refused'; reason: string }
  | { outcome: 'unreachable' };
