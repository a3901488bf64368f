import type { api } from '../api.ts';

export type ActivityPage = Awaited<ReturnType<typeof api.activity.list>>;
/** An entry of the log. */
export type Activity = ActivityPage['items'][number];
