/** How much a note of staff holds, whom it may mention, and how many of its earlier wordings are kept. */
export const noteLimits = { body: 10_000, mentions: 50, earlier: 100 } as const;

export const mentionKinds = ['user', 'team'] as const;
/** Somebody named in a note, with the name that stands in its text. */
export type Mention = { kind: (typeof mentionKinds)[number]; id: string; name: string };
