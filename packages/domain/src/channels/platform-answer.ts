/** What came of asking a platform for anything but a message. */
export type PlatformAnswer<Value> =
  | { outcome: 'done'; value: Value }
  /** `reason` is one plain sentence for people, `code` and `subcode` the platform's own. */
  | { outcome: 'refused'; reason: string; code?: string; subcode?: string }
  | { outcome: 'unreachable' };
