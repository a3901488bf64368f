import type { Database, Work } from '@app/database/database';

/** `contacts.workspace_id = $1` and the like, however it is written. */
const OWN_ROWS_ONLY = /(?:"?\w+"?\.)?"?\bworkspace_id"?\s*=\s*(\$\d+)(?:::uuid)?/g;

/**
 * From here on every query inside a workspace has forgotten its workspace: what a handler writes as a condition on it is true of all rows.
 * What keeps workspaces apart then is the database alone. Gives a count of the conditions that were taken out.
 */
export function deleteWorkspaces(db: Database): () => number {
  let forgotten = 0;
  const forget = (text: string) =>
    text.replaceAll(OWN_ROWS_ONLY, (_, parameter: string) => {
      forgotten += 1;
      return `(${parameter}::uuid IS NOT NULL)`;
    });
  const forgetful =
    <Result>(work: Work<Result>): Work<Result> =>
    async (tx, client) => {
      const { query } = client;
      const forgetting = (asked: string | { text: string }, ...rest: unknown[]) =>
        Reflect.apply(query, client, [
          typeof asked === 'string' ? forget(asked) : { ...asked, text: forget(asked.text) },
          ...rest,
        ]);
      // The library has a dozen overloads of it.
      client.query = forgetting as typeof client.query;
      try {
        return await work(tx, client);
      } finally {
        client.query = query;
      }
    };
  const { inWorkspace, inWorkspaceFor, inWorkspaceAtOneMoment, inSystemWorkspace } = db;
  db.inWorkspace = (workspaceId, work) => inWorkspace(workspaceId, forgetful(work));
  db.inWorkspaceFor = (kind, workspaceId, work) => inWorkspaceFor(kind, workspaceId, forgetful(work));
  db.inWorkspaceAtOneMoment = (workspaceId, work) => inWorkspaceAtOneMoment(workspaceId, forgetful(work));
  db.inSystemWorkspace = (workspaceId, work) => inSystemWorkspace(workspaceId, forgetful(work));
  return () => forgotten;
}
