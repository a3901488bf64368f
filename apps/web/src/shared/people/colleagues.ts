import { orpc } from '../api.ts';

/** Whoever may be chosen for something: people who work here and are let in. */
export const colleaguesOptions = orpc.users.list.queryOptions({
  input: { status: 'active' as const, sort: 'name' as const, limit: 200 },
});
