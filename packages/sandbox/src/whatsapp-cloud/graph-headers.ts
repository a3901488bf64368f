import type { Behaviour } from './behaviour.ts';
import type { Account } from './store.ts';

/** The headers that every Graph answer has. */
export function graphHeaders(version: string, traceId: string): Record<string, string> {
  return {
    'content-type': 'application/json; charset=UTF-8',
    'facebook-api-version': version,
    'x-fb-trace-id': traceId,
    'x-fb-request-id': traceId,
    'x-app-usage': '{"call_count":1,"total_cputime":1,"total_time":1}',
  };
}

const USUAL_CALLS_PER_HOUR = 5000;

/** How much of the hour's management calls a business account has used, in percent; sends do not count. */
export function usageHeader(account: Account | undefined, behaviour: Behaviour): Record<string, string> {
  if (!account) return {};
  const limit = behaviour.managementCallsPerHour || USUAL_CALLS_PER_HOUR;
  const used = Math.min(100, Math.ceil((account.managementCalls.length / limit) * 100));
  const usage = {
    type: 'whatsapp',
    ...{ call_count: used, total_cputime: 1, total_time: 1 },
    estimated_time_to_regain_access: used < 100 ? 0 : 60,
  };
  return { 'x-business-use-case-usage': JSON.stringify({ [account.id]: [usage] }) };
}
