import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import { newId } from '@app/database/new-id';
import { errorTable } from '@app/contracts/errors';
import { actorCaller } from '@app/domain/auth/caller';
import type { FlowConfig, Json } from '@app/domain/flows/flow-file';
import { readPath, writeValue } from '@app/domain/flows/flow-values';
import { textOf } from '@app/domain/flows/step-type';
import { runClasses } from '@app/flows/flow-host';
import { addStarts } from '@app/flows/flow-starts';
import { createAttemptLimit } from '../../platform/http-edge/attempt-limit.ts';
import { SMALL_BODY } from '../../platform/http-edge/body-rules.ts';
import { openBody } from '../../platform/http-edge/read-body.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeInNameOf } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findOrAddContact } from './find-or-add-contact.ts';
import { storeCall } from './hook-calls.ts';
import { secretHash } from './hooks-queries.ts';
import { readHookBody } from './read-hook-body.ts';

/** Of one address, in one process; what a workflow may begin in a minute is a limit of its own. */
export const HOOK_CALLS = { max: 1_200, windowMs: 60_000 };
/** As they are stored; others by their hash. */
const KEY = /^[\w.:-]{1,200}$/;
const KEY_HEADERS = [
  ...['idempotency-key', 'webhook-id', 'svix-id'],
  ...['x-github-delivery', 'x-wc-webhook-delivery-id'],
] as const;

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger' | 'secrets'>;
type Hook = {
  id: string;
  workspace_id: string;
  flow_id: string;
  trigger_id: string;
  secret_hash: string | null;
  flow_name: string;
};

/**
 * `POST /hooks/{token}`: a call of another service that begins a run. Its body is JSON or a form of at most 64 kB. `Idempotency-Key`, `webhook-id` or
 * the id that a well-known service gives a delivery makes a second call of the same key begin nothing. The answer is the same whether or not the workflow is active, so that a caller learns nothing of it.
 */
export function mountHooks(
  app: Hono,
  parts: Parts,
  limit = createAttemptLimit(HOOK_CALLS, parts.clock),
): void {
  app.post('/hooks/:token', async (c) => {
    const hook = await findHook(parts, c.req.param('token'));
    if (!hook) return refuse('address_unknown');
    const attempt = limit.begin(hook.id);
    if (!attempt.isAllowed)
      return refuse('too_many_requests', { headers: { 'retry-after': String(attempt.retryAfterSeconds) } });
    const inItsName = (work: (scope: WorkspaceScope) => Promise<void>) =>
      changeInNameOf(
        parts,
        actorCaller('automation', { id: hook.flow_id, name: hook.flow_name, workspaceId: hook.workspace_id }),
        work,
      );
    const reject = async (reason: Rejection, bytes = 0) => {
      const { status } = errorTable[reason];
      await inItsName((scope) => storeCall(scope, { hookId: hook.id, status, reason, bytes }));
      return refuse(reason);
    };
    if (!hasSecret(parts, hook, c.req.raw.headers)) return reject('workflow_hook_secret_wrong');
    const body = openBody(c.req.raw);
    if (!(await body.readUpTo(SMALL_BODY))) return reject('body_too_large');
    const bytes = body.bytes();
    const read = await readHookBody(bytes, c.req.header('content-type') ?? '');
    if (read === undefined) return reject('workflow_hook_body_invalid', bytes.length);
    const key = keyOf(c.req.raw.headers) ?? newId();
    await inItsName(async (scope) => {
      const source = `hook/${hook.id}/${key}`;
      const reason = await receive(scope, parts, { hook, body: read, source });
      await storeCall(scope, {
        ...{ hookId: hook.id, status: 202, source, bytes: bytes.length, body: read },
        ...(reason !== null && { reason }),
      });
    });
    return c.json({ accepted: true }, 202);
  });
}

type Rejection = 'workflow_hook_secret_wrong' | 'body_too_large' | 'workflow_hook_body_invalid';

async function findHook({ db }: Parts, token: string): Promise<Hook | undefined> {
  const { rows } = await db.systemPool.query<Hook>(
    `SELECT h.id, h.workspace_id, h.flow_id, h.trigger_id, h.secret_hash, f.name AS flow_name
       FROM flow_hooks h JOIN flows f ON f.id = h.flow_id WHERE h.token = $1`,
    [token],
  );
  return rows[0];
}

/** `Authorization: Bearer …` or `X-Webhook-Secret`. */
function hasSecret({ secrets }: Parts, { secret_hash: hash }: Hook, headers: Headers): boolean {
  if (hash === null) return true;
  const given =
    headers.get('x-webhook-secret') ?? /^bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (given === undefined || given.length > 400) return false;
  const [mine, theirs] = [Buffer.from(hash), Buffer.from(secretHash(secrets, given))];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

/** The key of a request, or the id of a delivery that a service sends again after a lost answer. Any text is one: the draft of the header has quotes. */
function keyOf(headers: Headers): string | undefined {
  const given = KEY_HEADERS.map((name) => headers.get(name)?.trim()).find((key) => key);
  if (given === undefined || KEY.test(given)) return given;
  return createHash('sha256').update(given).digest('hex');
}

/** Writes the start; answers why there is none. */
async function receive(
  scope: WorkspaceScope,
  { secrets }: Parts,
  { hook, body, source }: { hook: Hook; body: Json; source: string },
): Promise<'not_active' | 'repeated' | null> {
  await scope.query(
    'UPDATE flow_hooks SET calls = calls + 1, last_call_at = $3, sample = $4 WHERE workspace_id = $1 AND id = $2',
    [scope.workspaceId, hook.id, scope.clock(), JSON.stringify(body)],
  );
  const { rows } = await scope.query<{ version: number; config: FlowConfig }>(
    `SELECT t.version, t.config FROM flow_triggers t JOIN flows f ON f.id = t.flow_id AND f.status = 'active' AND f.published = t.version
      WHERE t.workspace_id = $1 AND t.flow_id = $2 AND t.trigger_id = $3 AND t.type = 'webhook'`,
    [scope.workspaceId, hook.flow_id, hook.trigger_id],
  );
  const [trigger] = rows;
  if (!trigger) return 'not_active';
  const { config, version } = trigger;
  const at = (field: string) => {
    const path = textOf(config, field).trim();
    return path === '' ? '' : writeValue(readPath(body, path)).slice(0, 1_000);
  };
  const start = {
    ...{ flowId: hook.flow_id, version, triggerId: hook.trigger_id, channelId: null },
    ...{ source, values: { body }, class: runClasses.event, depth: 0 },
    at: scope.clock(),
  };
  if (config['contact'] === 'none') {
    return (await addStarts(scope, [{ ...start, contactId: null }])) === 0 ? 'repeated' : null;
  }
  const { rowCount: isKnown } = await scope.query(
    'SELECT FROM flow_starts WHERE workspace_id = $1 AND flow_id = $2 AND source = $3',
    [scope.workspaceId, hook.flow_id, source],
  );
  if (isKnown) return 'repeated';
  const given = { phone: at('phone'), name: at('name'), email: at('email') };
  const found = await findOrAddContact(scope, secrets, given, { mayAdd: config['contact'] === 'create' });
  await addStarts(scope, [
    typeof found === 'string'
      ? { ...start, contactId: null, refused: found }
      : { ...start, contactId: found.contactId },
  ]);
  return null;
}
