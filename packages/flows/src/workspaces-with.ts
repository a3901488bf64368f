/**
 * The body of a recursive query `name`: the ids of the workspaces that have rows of `table` which meet `condition`, in their order, and null at the end.
 * With an index on them it costs one look-up for each workspace, however many rows there are.
 */
export function workspacesWithSql(
  name: string,
  table: 'flow_starts' | 'flow_runs',
  condition: string,
): string {
  return `(SELECT workspace_id FROM ${table} WHERE ${condition} ORDER BY workspace_id LIMIT 1)
       UNION ALL
       SELECT (SELECT o.workspace_id FROM ${table} o WHERE ${condition} AND o.workspace_id > w.workspace_id ORDER BY o.workspace_id LIMIT 1)
         FROM ${name} w WHERE w.workspace_id IS NOT NULL`;
}

export const openStarts = "state = 'open'";
export const plannedRuns = 'due_at IS NOT NULL';
