import type { RunEffect } from '@app/flows/flow-host';
import type { Json } from '@app/domain/flows/flow-file';
import { readPath } from '@app/domain/flows/flow-values';
import type { EffectOutcome } from '@app/domain/flows/run-state';
import { webhookCallLimits, type NamedValue } from '@app/domain/flows/steps/webhook-call';
import type { CallMethod, CallOutcome, CallResponse } from '@app/domain/network/outgoing-calls';
import { defineJob } from '../../../platform/jobs/define-job.ts';
import type { WorkspaceScope } from '../../../platform/workspace-scope.ts';
import { openHeaders } from '../../flow-secrets.ts';
import type { EffectParts } from '../effects/effect-parts.ts';
import { beginLater, enqueueLater, laterEffect, settleLater } from './later-effect.ts';

type Request = {
  method: CallMethod;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  isJson: boolean;
  mapping: NamedValue[];
  timeoutMs: number;
  attempts: number;
  mayRepeat: boolean;
};

/** What is sent is sealed until it has left: headers may hold a key. */
export function webhookCall({ secrets, jobs }: EffectParts): RunEffect<WorkspaceScope> {
  return async (scope, asked) => {
    const request = asked.request as unknown as Request; // the step made it
    const headers = await openHeaders(scope, secrets, request);
    if (headers === null) return { status: 'failed', code: 'secret_gone' };
    await enqueueLater(scope, jobs, workflowCall, asked);
    const sealed = await secrets.seal(JSON.stringify({ ...request, headers }));
    return { later: { messageId: null, request: { sealed } } };
  };
}

const REDIRECTS = 3;
/** All attempts of one call, with the pauses between them. */
const TIMEOUT_SECONDS = (webhookCallLimits.retries.most + 1) * (webhookCallLimits.timeout.most + 10) + 30;

/** At most once: a call whose process died may have arrived, and is not made again. */
export const workflowCall = defineJob({
  ...{ name: 'workflow-call', as: 'caller', payload: laterEffect, repeat: 'once' },
  ...{ attempts: 5, pauseSeconds: 5, longestPauseSeconds: 60, timeoutSeconds: TIMEOUT_SECONDS },
  ...{ atOnce: 10, atOnceOfOne: 5, usefulSeconds: 3_600 },
  async run({ change, calls, secrets }, { workspaceId, payload, signal }) {
    const begun = await change((scope) => beginLater(scope, payload));
    if (!begun) return { outcome: 'none' };
    const request = JSON.parse(await secrets.open(String(begun.request['sealed']))) as Request; // sealed above
    const { method, url, body, isJson, timeoutMs, attempts, mayRepeat } = request;
    const outcome = await calls.call({
      ...{ service: `workflow:${workspaceId}`, limit: { perSecond: 20, atOnce: 10 } },
      ...{ method, url, timeoutMs, redirects: REDIRECTS, signal },
      largestResponse: webhookCallLimits.response,
      headers: { ...(isJson && { 'content-type': 'application/json' }), ...request.headers },
      ...(body !== null && { body }),
      // A method that may be repeated by its nature is not, unless the step says so: the service may count calls.
      retry: { attempts, mayRepeat },
    });
    await change((scope) => settleLater(scope, payload, outcomeOf(outcome, request.mapping)));
    return { outcome: outcome.outcome };
  },
});

/** What the step makes of it. Nothing of an incomplete response is read. */
function outcomeOf(result: CallOutcome, mapping: readonly NamedValue[]): EffectOutcome {
  switch (result.outcome) {
    case 'not_sent':
      return { status: 'failed', code: result.reason };
    case 'unknown':
      return { status: 'unknown', code: result.reason };
    case 'rejected': {
      const { status } = result.response;
      const code = result.reason === 'status' ? `http_${status}` : result.reason;
      return { status: 'failed', code, values: { status } };
    }
    default: {
      const { response } = result;
      const { status } = response;
      if (!response.isComplete) {
        const isTooLarge = response.body.byteLength >= webhookCallLimits.response;
        const code = isTooLarge ? 'response_too_large' : 'response_incomplete';
        return { status: 'failed', code, values: { status } };
      }
      return { status: 'done', values: { status, ...pick(response, mapping) } };
    }
  }
}

/** By the paths of the mapping; null for what is not there, or is larger than a value may be. */
function pick(response: CallResponse, mapping: readonly NamedValue[]): { [name: string]: Json } {
  if (mapping.length === 0) return {};
  const json = (response.json() ?? null) as Json;
  return Object.fromEntries(
    mapping.map(({ name, value: path }) => {
      const found = readPath(json, path.trim()) ?? null;
      return [name, JSON.stringify(found).length <= webhookCallLimits.value ? found : null];
    }),
  );
}
