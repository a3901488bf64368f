import type { ReadScope } from '../platform/workspace-scope.ts';

type Summary = {
  name: string;
  contacts: number;
  templates: number;
  campaigns: number;
};

/** What the workspace holds, and the name that is typed before all of it goes. */
export async function summarize({ query, workspaceId }: ReadScope): Promise<Summary> {
  const { rows } = await query<Summary>(
    `SELECT coalesce(nullif(w.settings->>'businessName', ''), w.name) AS name,
            (SELECT count(*)::integer FROM contacts WHERE workspace_id = $1) AS contacts,
            (SELECT count(*)::integer FROM templates WHERE workspace_id = $1) AS templates,
            (SELECT count(*)::integer FROM campaigns WHERE workspace_id = $1) AS campaigns
       FROM workspaces w WHERE w.id = $1`,
    [workspaceId],
  );
  return rows[0]!; // whoever asks is of it
}
