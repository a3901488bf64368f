/** What a tab says of the conversation that it shows. */
export const viewerStates = ['viewing', 'typing', 'gone'] as const;
export type ViewerState = (typeof viewerStates)[number];

/** So often a tab says that it still shows it, and, while somebody types, that they still do. */
export const VIEW_EVERY_MS = 5_000;
export const TYPE_EVERY_MS = 2_500;
/** After so long without a word the tab is taken as dead, and the person as no longer typing. */
export const VIEW_ENDS_MS = 12_000;
export const TYPING_ENDS_MS = 6_000;
/** What one person may have open at once; who has more is seen in the newest. */
export const MOST_TABS = 20;

/** Somebody who looks at a conversation now, in however many tabs. */
export type Viewer = { id: string; name: string; isTyping: boolean };
