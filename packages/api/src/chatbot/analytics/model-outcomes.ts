import type { ReadScope } from '../../platform/workspace-scope.ts';

export type ModelOutcome = {
  /** From this confidence up to 0.1 more; 1 stands in the last one. */
  from: number;
  /** Said by the model, and no person was needed within a day. */
  solved: number;
  /** Said by the model, and the conversation was handed over within a day. */
  handedOver: number;
  /** The model was not sure enough: something else answered. */
  unused: number;
};

/** What became of conversations in which a model was asked, by the confidence of its answers. */
export async function findModelOutcomes(scope: ReadScope, since: Date): Promise<ModelOutcome[]> {
  const { rows } = await scope.query<ModelOutcome>(
    `SELECT least(floor(a.confidence * 10 + 1e-9), 9)::float8 / 10 AS "from", (count(*) FILTER (WHERE a.used AND NOT a.handed_over))::int AS solved,
            (count(*) FILTER (WHERE a.used AND a.handed_over))::int AS "handedOver", (count(*) FILTER (WHERE NOT a.used))::int AS unused
       FROM (SELECT (model->>'confidence')::float8 AS confidence, rule = 'model' AS used,
                    bool_or(handoff IS NOT NULL) OVER (PARTITION BY contact_id, channel_id ORDER BY decided_at
                      RANGE BETWEEN CURRENT ROW AND interval '1 day' FOLLOWING) AS handed_over
               FROM bot_answers WHERE workspace_id = $1 AND decided_at > $2) AS a
      WHERE a.confidence IS NOT NULL GROUP BY 1 ORDER BY 1`,
    [scope.workspaceId, since],
  );
  return rows;
}
