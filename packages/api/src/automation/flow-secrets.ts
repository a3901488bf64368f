import { newId } from '@app/database/new-id';
import type { FlowProblem } from '@app/domain/flows/check-flow';
import type { FlowFile } from '@app/domain/flows/flow-file';
import {
  findSecretHeaders,
  findSecretReferences,
  originOf,
  putSecretsIn,
  replaceHeaders,
  secretIdsOf,
} from '@app/domain/flows/secret-headers';
import type { SecretBox } from '../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';

/** The flow with a reference in place of each secret that was typed into a header; the value is sealed, and nobody reads it back. */
export async function sealHeaders(
  scope: WorkspaceScope,
  secrets: SecretBox,
  flow: FlowFile,
): Promise<FlowFile> {
  const references = new Map<string, string>();
  const keyOf = ({ origin, value }: { origin: string; value: string }) => `${origin} ${value}`;
  for (const header of findSecretHeaders(flow)) {
    const { rows } = await scope.query<{ id: string }>(
      `INSERT INTO flow_secrets AS s (id, workspace_id, origin, sealed, fingerprint, created_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (workspace_id, fingerprint) DO UPDATE SET created_at = excluded.created_at RETURNING id`,
      [
        ...[newId(), scope.workspaceId, header.origin, await secrets.seal(header.value)],
        ...[secrets.fingerprint(`flow-secret/${keyOf(header)}`), scope.clock()],
      ],
    );
    references.set(keyOf(header), `{{secret.${rows[0]!.id}}}`); // written above
  }
  return references.size === 0
    ? flow
    : replaceHeaders(flow, (header) => references.get(keyOf(header)) ?? header.value);
}

/** With the values of its references; null where one is gone, or was entered for another origin. */
export async function openHeaders(
  scope: ReadScope,
  secrets: SecretBox,
  { headers, url }: { headers: Readonly<Record<string, string>>; url: string },
): Promise<Record<string, string> | null> {
  const opened: Record<string, string> = { ...headers };
  for (const [name, value] of Object.entries(headers)) {
    const found = new Map<string, string>();
    for (const secretId of secretIdsOf(value)) {
      const { rows } = await scope.query<{ sealed: string }>(
        'SELECT sealed FROM flow_secrets WHERE workspace_id = $1 AND id = $2 AND origin = $3',
        [scope.workspaceId, secretId, originOf(url)],
      );
      if (!rows[0]) return null;
      found.set(secretId, await secrets.open(rows[0].sealed));
    }
    opened[name] = putSecretsIn(value, found);
  }
  return opened;
}

/** Steps whose secret is not here, as in a file of another workspace, or was entered for another origin: it is typed again. */
export async function findGoneSecrets(scope: ReadScope, flow: FlowFile): Promise<FlowProblem[]> {
  const references = findSecretReferences(flow);
  if (references.length === 0) return [];
  const { rows } = await scope.query<{ id: string; origin: string }>(
    'SELECT id, origin FROM flow_secrets WHERE workspace_id = $1 AND id = ANY ($2::uuid[])',
    [scope.workspaceId, references.map(({ secretId }) => secretId)],
  );
  return references
    .filter(({ secretId, origin }) => !rows.some((row) => row.id === secretId && row.origin === origin))
    .map(({ stepId, secretId }) => ({
      ...{ code: 'reference_gone', place: 'step', id: stepId, field: 'headers', value: secretId },
    }));
}
