import type { aiConnection } from '@app/contracts/chatbot/bot-ai-contract';
import type { AiConnection, AiProblem, AiProvider } from '@app/domain/chatbot/model/ai-models';
import type { OutgoingCalls } from '@app/domain/network/outgoing-calls';
import type { z } from 'zod';
import type { SecretBox } from '../../platform/request-context.ts';
import type { ReadScope, WorkspaceScope } from '../../platform/workspace-scope.ts';

export type StoredAiConnection = {
  provider: AiProvider;
  base_url: string | null;
  key: string | null;
  key_hint: string | null;
  model: string;
  embedding_model: string | null;
  price_in: string | null;
  price_out: string | null;
  is_enabled: boolean;
  problem: AiProblem | null;
  checked_at: Date | null;
  version: number;
};

/** What opens a provider, as people wrote it. `key` left out: the stored one. */
export type WrittenOpening = { provider: AiProvider; baseUrl: string | null; key?: string | undefined };

export async function findAiConnection(scope: ReadScope): Promise<StoredAiConnection | null> {
  const { rows } = await scope.query<StoredAiConnection>(
    'SELECT * FROM ai_connections WHERE workspace_id = $1',
    [scope.workspaceId],
  );
  return rows[0] ?? null;
}

/** With its key in plain text: for the call alone. */
export async function openAiConnection(
  workspaceId: string,
  stored: StoredAiConnection,
  secrets: Pick<SecretBox, 'open'>,
): Promise<AiConnection> {
  const key = stored.key === null ? '' : await secrets.open(stored.key);
  return { workspaceId, provider: stored.provider, baseUrl: stored.base_url, key };
}

/** What was written, completed by the stored key where that may go along. A stored key never leaves for another provider or address. */
export async function completeOpening(
  written: WrittenOpening,
  {
    stored,
    workspaceId,
    secrets,
    calls,
  }: {
    stored: StoredAiConnection | null;
    workspaceId: string;
    secrets: Pick<SecretBox, 'open'>;
    calls: Pick<OutgoingCalls, 'checkAddress' | 'isNamed'>;
  },
): Promise<AiConnection | 'bot_ai_key_needed' | 'bot_ai_address_refused'> {
  const { provider } = written;
  const baseUrl = provider === 'compatible' ? (written.baseUrl ?? '').replace(/\/+$/, '') : null;
  if (baseUrl !== null && !mayCall(baseUrl, calls)) return 'bot_ai_address_refused';
  if (written.key !== undefined) {
    // Hosted providers refuse every request without a key.
    if (written.key === '' && provider !== 'compatible') return 'bot_ai_key_needed';
    return { workspaceId, provider, baseUrl, key: written.key };
  }
  const isSame = stored?.provider === provider && stored.base_url === baseUrl;
  if (!isSame) return 'bot_ai_key_needed';
  return openAiConnection(workspaceId, stored, secrets);
}

/** A key travels over plain http only to hosts that the operator named. */
function mayCall(url: string, calls: Pick<OutgoingCalls, 'checkAddress' | 'isNamed'>): boolean {
  if (calls.checkAddress(url) !== null) return false;
  return url.startsWith('https://') || calls.isNamed(url);
}

export async function saveAiConnection(
  scope: WorkspaceScope,
  {
    opening,
    model,
    embeddingModel,
    priceIn,
    priceOut,
    isEnabled,
    version,
  }: {
    opening: AiConnection;
    model: string;
    embeddingModel: string | null;
    priceIn: number | null;
    priceOut: number | null;
    isEnabled: boolean;
    version: number;
  },
  secrets: Pick<SecretBox, 'seal'>,
): Promise<'bot_ai_changed' | null> {
  const { provider, baseUrl, key } = opening;
  const { rowCount } = await scope.query(
    `INSERT INTO ai_connections AS c (workspace_id, provider, base_url, key, key_hint, model, embedding_model, price_in, price_out, is_enabled)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
      WHERE $11 = 0 OR EXISTS (SELECT FROM ai_connections WHERE workspace_id = $1)
     ON CONFLICT (workspace_id) DO UPDATE SET provider = excluded.provider, base_url = excluded.base_url, key = excluded.key,
       key_hint = excluded.key_hint, model = excluded.model, embedding_model = excluded.embedding_model, price_in = excluded.price_in,
       price_out = excluded.price_out, is_enabled = excluded.is_enabled, problem = NULL, version = c.version + 1 WHERE c.version = $11`,
    [
      ...[scope.workspaceId, provider, baseUrl, key === '' ? null : await secrets.seal(key)],
      ...[key === '' ? null : key.slice(-4), model, embeddingModel, priceIn, priceOut, isEnabled, version],
    ],
  );
  if (!rowCount) return 'bot_ai_changed';
  await emitChange(scope, { isConnected: true, provider });
  return null;
}

export async function removeAiConnection(scope: WorkspaceScope): Promise<'bot_ai_not_connected' | null> {
  const { rows } = await scope.query<{ provider: AiProvider }>(
    'DELETE FROM ai_connections WHERE workspace_id = $1 RETURNING provider',
    [scope.workspaceId],
  );
  const [gone] = rows;
  if (!gone) return 'bot_ai_not_connected';
  await emitChange(scope, { isConnected: false, provider: gone.provider });
  return null;
}

/** What the last call ended with, for people to see. */
export async function noteAiProblem(scope: ReadScope, problem: AiProblem | null): Promise<void> {
  await scope.query(
    `UPDATE ai_connections SET problem = $2, checked_at = $3 WHERE workspace_id = $1
        AND (problem IS DISTINCT FROM $2 OR checked_at IS NULL OR checked_at < $3::timestamptz - interval '1 minute')`,
    [scope.workspaceId, problem, scope.clock()],
  );
}

async function emitChange(
  scope: WorkspaceScope,
  values: { isConnected: boolean; provider: AiProvider },
): Promise<void> {
  await scope.emit({ type: 'chatbot_ai.changed', subject: scope.workspaceId, values });
}

type Shown = z.infer<typeof aiConnection>;

export function presentAiConnection(stored: StoredAiConnection): Shown {
  return {
    ...{ provider: stored.provider, baseUrl: stored.base_url, keyHint: stored.key_hint, model: stored.model },
    ...{ embeddingModel: stored.embedding_model, isEnabled: stored.is_enabled, problem: stored.problem },
    priceIn: numberOrNull(stored.price_in),
    priceOut: numberOrNull(stored.price_out),
    checkedAt: stored.checked_at?.toISOString() ?? null,
    version: stored.version,
  };
}

function numberOrNull(value: string | null): number | null {
  return value === null ? null : Number(value);
}
