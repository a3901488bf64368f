import { databaseTrouble } from '@app/database/query-error';
import { actorCaller } from '@app/domain/auth/caller';
import type { Connector } from '@app/domain/integrations/connector-kind';
import type { FieldMapping, RemoteField, Reply } from '@app/domain/integrations/contact-connector';
import { pause } from '../../platform/jobs/pause.ts';
import { openConnector } from '../../platform/connectors/open-connector.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeInNameOf } from '../../platform/system-work.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findIntegrationById, findOpenRun, type IntegrationRow, type RunRow } from '../integration-rows.ts';
import { readWebhookAddress } from '../integrations-queries.ts';
import { applyStep, previewStep } from './apply-steps.ts';
import { giveWay } from './give-way.ts';
import { hearStep } from './hear-step.ts';
import { itemsStep } from './items-step.ts';
import { readSyncRules, type Sync } from './open-sync.ts';
import { endPreviewStep, pushStep } from './push-steps.ts';
import { pullStep, retryStep, type InScope, type StepResult } from './read-steps.ts';
import { needsPerson } from '@app/domain/integrations/connector-problems';
import { failRun, pauseRun } from './sync-runs.ts';

/** A shorter pause is waited for; a longer one is left to the schedule. */
const LONGEST_PAUSE_MS = 15_000;
/** So often one step is tried before the run waits longer, or fails. */
const ATTEMPTS = 5;
/** A service that was away so long is an error: it ends the run. Its place is stored, and the next run goes on there. */
const AWAY_MS = 3_600_000;
/** The same of a service that asks for a pause, which says nothing bad, and of a preview, which nothing would begin anew. */
const GIVE_UP_MS = 24 * 3_600_000;

/** What a step that threw an error counts as. The run tries it again after pauses, and shows the problem when it goes on. */
const NOT_UNDERSTOOD: Reply<never> = {
  ...{ ok: false, problem: 'response_unreadable', detail: null, retryAfterMs: 10_000 },
};

const NOTHING_HEARD = { ok: true, value: false } as const;

type OpenedSync = { sync: Sync; inScope: InScope; subscribe: Connector['subscribe'] };
type Wanted = {
  workspaceId: string;
  integrationId: string;
  signal: AbortSignal;
  /** Waits for so many milliseconds, or until the process stops. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** After so many milliseconds it makes room for other syncs. */
  sliceMs?: number;
};
/** `isUnfinished`: the run has more to do, and makes room for other syncs first. */
export type SyncOutcome = { steps: number; isUnfinished: boolean };

/**
 * Does the steps of the open run of a connection, one after the other, until it ends, waits, its time is over, or the process stops. How far it is stands
 * in its row, so that any process can go on with it.
 */
export async function runSync(
  parts: ApiDependencies,
  { workspaceId, integrationId, signal, wait = pause, sliceMs = Infinity }: Wanted,
): Promise<SyncOutcome> {
  const opened = await openSync(parts, workspaceId, integrationId);
  if (!opened) return { steps: 0, isUnfinished: false };
  const startedAt = performance.now();
  const { inScope } = opened;
  await subscribe(parts, opened, integrationId);
  let known: Pick<Sync, 'mapping' | 'moments'> | null = null;
  let failures = 0;
  let steps = 0;
  let isHeard = false;
  for (;;) {
    signal.throwIfAborted();
    if (steps > 0 && performance.now() - startedAt >= sliceMs) return { steps, isUnfinished: true };
    const state = await readState(inScope, integrationId);
    if (!state) return { steps, isUnfinished: false };
    const { integration, run } = state;
    // Connected anew, or mapped anew, while it went on.
    if (integration.version !== opened.sync.integration.version)
      return runSync(parts, { workspaceId, integrationId, signal, wait, sliceMs });
    let result: Reply<unknown>;
    try {
      if (known === null) {
        const fields = await opened.sync.contacts.listFields();
        if (fields.ok)
          known = { mapping: withoutMissing(opened.sync, fields.value), moments: momentsOf(fields.value) };
        result = fields.ok ? checkFilterFields(opened.sync, fields.value) : fields;
      } else {
        const fields = fieldsOf(opened.sync, known.mapping);
        const sync = { ...opened.sync, ...known, integration, fields };
        const begun = performance.now();
        const heard: Reply<boolean> = isHeard ? NOTHING_HEARD : await hearStep(inScope, sync, run);
        isHeard = heard.ok && !heard.value;
        result = isHeard ? await doStep(inScope, sync, run, parts.clock()) : heard;
        steps += 1;
        if (run.phase === 'apply') await giveWay(parts, performance.now() - begun, (ms) => wait(ms, signal));
      }
    } catch (error) {
      if (signal.aborted || databaseTrouble(error) !== undefined) throw error;
      parts.logger.error(
        { err: error, workspaceId, integrationId, phase: run.phase },
        'a step of a sync failed',
      );
      result = NOT_UNDERSTOOD;
    }
    if (result.ok) {
      failures = 0;
      if (result.value !== 'ended') continue;
      await inScope((scope) => noteMissing(scope, opened.sync, known?.mapping ?? []));
      return { steps, isUnfinished: false };
    }
    failures += 1;
    if (!(await bear(parts, inScope, { integration, run, result, failures, signal, wait })))
      return { steps, isUnfinished: false };
  }
}

/**
 * The fields that both sides still have. One that was deleted is left as it is on the other side: it is no empty value. Without name and number
 * nothing is synced, and the field of the opt-out is made by the connector where it is not there yet.
 */
function withoutMissing(
  { mapping, customFields, optOutField }: Sync,
  fields: readonly RemoteField[],
): FieldMapping[] {
  return mapping.filter(({ ours, theirs }) => {
    if (ours.startsWith('custom.') && !customFields.some(({ key }) => ours === `custom.${key}`)) return false;
    const isFixed = ours === 'name' || ours === 'phone' || theirs === optOutField;
    return isFixed || fields.some(({ name }) => name === theirs);
  });
}

function momentsOf(fields: readonly RemoteField[]): Set<string> {
  return new Set(fields.filter(({ isMoment }) => isMoment).map(({ name }) => name));
}

/** What is read of each record. */
function fieldsOf(
  { kind: { contacts }, integration: { filter } }: Pick<Sync, 'kind' | 'integration'>,
  mapping: readonly FieldMapping[],
): string[] {
  const names = [...mapping.map(({ theirs }) => theirs), ...filter.map(({ field }) => field)];
  return [...new Set([...names, ...Object.values(contacts?.optIn ?? {})])];
}

/** Without a field of the filter nobody knows what is to come in: the run ends, and the next one begins where it was. */
function checkFilterFields(
  { integration: { filter }, optOutField }: Sync,
  fields: readonly RemoteField[],
): Reply<unknown> {
  const missing = filter
    .map(({ field }) => field)
    .filter((field) => field !== optOutField && !fields.some(({ name }) => name === field));
  if (missing.length === 0) return { ok: true, value: null };
  const detail = missing.join(', ').slice(0, 300);
  return { ok: false, problem: 'field_missing', detail, retryAfterMs: null };
}

/** Mapped fields that are gone stand on the card, until the mapping is changed. */
async function noteMissing(
  scope: WorkspaceScope,
  { integration, mapping }: Sync,
  present: readonly FieldMapping[],
): Promise<void> {
  const missing = mapping.filter((one) => !present.includes(one));
  if (missing.length > 0)
    await scope.query(
      `UPDATE integrations SET problem = 'field_missing', problem_detail = $3 WHERE workspace_id = $1 AND id = $2 AND status = 'connected' AND problem IS NULL`,
      [
        ...[scope.workspaceId, integration.id],
        missing
          .map(({ ours, theirs }) => `${ours} ↔ ${theirs}`)
          .join(', ')
          .slice(0, 300),
      ],
    );
}

/** Vendors forget who wants to be called after some failures, so each run that begins asks again. */
async function subscribe(
  { publicUrl }: Pick<ApiDependencies, 'publicUrl'>,
  { sync, inScope, subscribe: ask }: OpenedSync,
  integrationId: string,
): Promise<void> {
  if (!ask) return;
  const url = await inScope(async (scope) => {
    const run = await findOpenRun(scope, integrationId);
    const begins = run?.phase === 'retry' && run.place === null && run.trigger !== 'preview';
    if (!begins || run.trigger === 'event') return null;
    return readWebhookAddress(scope, publicUrl, sync.kind);
  });
  if (url !== null) await ask(url);
}

function doStep(inScope: InScope, sync: Sync, run: RunRow, now: Date): Promise<StepResult> {
  const isPreview = run.trigger === 'preview';
  switch (run.phase) {
    case 'retry':
      return retryStep(inScope, sync, run);
    case 'pull':
      return pullStep(inScope, sync, run);
    case 'apply':
      return isPreview ? previewStep(inScope, sync, run) : applyStep(inScope, sync, run);
    case 'items':
      return itemsStep(inScope, sync, run, now);
    case 'push':
      return isPreview ? endPreviewStep(inScope, sync, run) : pushStep(inScope, sync, run);
  }
}

type Trouble = {
  integration: IntegrationRow;
  run: RunRow;
  result: Extract<Reply<unknown>, { ok: false }>;
  failures: number;
  signal: AbortSignal;
  wait: NonNullable<Wanted['wait']>;
};

/** Waits for a short pause; true where the step is to be tried again at once. */
async function bear(
  { clock }: Pick<ApiDependencies, 'clock'>,
  inScope: InScope,
  { integration, run, result: { problem, detail, retryAfterMs }, failures, signal, wait }: Trouble,
): Promise<boolean> {
  if (retryAfterMs === null || needsPerson.includes(problem)) {
    await inScope((scope) => failRun(scope, integration, run, { problem, detail }));
    return false;
  }
  if (retryAfterMs <= LONGEST_PAUSE_MS && failures < ATTEMPTS) {
    await wait(retryAfterMs, signal);
    return true;
  }
  const now = clock();
  const isPatient = problem === 'service_busy' || run.trigger === 'preview';
  // An error stays in sight: it is looked at by the schedule, and not by a run that waits.
  const isKnown = integration.status === 'error' && !isPatient;
  const troubledFor = now.getTime() - (run.troubled_at ?? now).getTime();
  if (isKnown || troubledFor >= (isPatient ? GIVE_UP_MS : AWAY_MS)) {
    await inScope((scope) => failRun(scope, integration, run, { problem, detail, isOver: true }));
    return false;
  }
  const longer = Math.max(retryAfterMs, Math.min(60_000 * failures, 900_000));
  const resumeAt = new Date(now.getTime() + longer);
  await inScope((scope) => pauseRun(scope, run, { problem, detail, resumeAt }));
  return false;
}

async function readState(
  inScope: InScope,
  integrationId: string,
): Promise<{ integration: IntegrationRow; run: RunRow } | null> {
  return inScope(async (scope) => {
    // The run first: with a mapping that is changed meanwhile, the run of before is read and not that of after.
    const run = await findOpenRun(scope, integrationId);
    const integration = await findIntegrationById(scope, integrationId);
    if (!integration || integration.status === 'disconnected') return null;
    const waits = run?.resume_at && run.resume_at > scope.clock();
    return run && !waits ? { integration, run } : null;
  });
}

/** The connected account of a connection; null where there is nothing to do, or no connector any more. Its run has failed where its credentials cannot be opened. */
async function openSync(
  parts: ApiDependencies,
  workspaceId: string,
  integrationId: string,
): Promise<OpenedSync | null> {
  const name = await readName(parts, workspaceId, integrationId);
  const kind = name === null ? undefined : parts.connectorKinds.find(name);
  if (!kind?.contacts) return null;
  const caller = actorCaller('integration', { id: integrationId, name: kind.title, workspaceId });
  const inScope: InScope = (work) => changeInNameOf(parts, caller, work);
  const read = await inScope(async (scope) => {
    const integration = await findIntegrationById(scope, integrationId);
    return integration && { integration, rules: await readSyncRules(scope, integration) };
  });
  if (!read?.integration.credentials) return null;
  const { integration, rules } = read;
  const { credentials } = read.integration;
  const connector = await openConnector(parts, kind, { workspaceId, credentials }).catch(
    async (error: unknown) => {
      parts.logger.error({ err: error, workspaceId, integrationId }, 'credentials could not be opened');
      await inScope(async (scope) => {
        const run = await findOpenRun(scope, integrationId);
        if (run) await failRun(scope, integration, run, { problem: 'credentials_wrong', detail: null });
      });
      return null;
    },
  );
  if (!connector?.contacts) return null;
  const { mapping } = integration;
  return {
    inScope,
    subscribe: connector.subscribe,
    sync: {
      ...{ integration, kind, mapping, contacts: connector.contacts, secrets: parts.secrets, ...rules },
      ...{ items: connector.items ?? null, moments: new Set() },
      fields: fieldsOf({ kind, integration }, mapping),
      optOutField: kind.contacts.optOutField,
    },
  };
}

async function readName(
  parts: ApiDependencies,
  workspaceId: string,
  integrationId: string,
): Promise<string | null> {
  const caller = actorCaller('integration', { id: integrationId, name: '', workspaceId });
  const row = await changeInNameOf(parts, caller, (scope) => findIntegrationById(scope, integrationId));
  return row?.kind ?? null;
}
