import {
  launchStates,
  testDeviceStatuses,
  type AgentReport,
  type LaunchState,
  type TestDevice,
} from '@app/domain/channels/agent-desk';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { isRecord, recordOf, textOf } from '../calls/json-values.ts';
import {
  createRcsCalls,
  queryOf,
  readBody,
  type RcsAnswer,
  type RcsCall,
  type RcsTimeouts,
} from './rcs-calls.ts';
import { errorOf } from './rcs-errors.ts';
import { MANAGEMENT_SCOPE } from './service-account.ts';

/** https://developers.google.com/business-communications/rcs-business-messaging/reference/business-communications/rest */
export const MANAGEMENT_HOST = 'https://businesscommunications.googleapis.com';

export type RcsManagementOptions = {
  agentId: string;
  keyFile: string;
  /** In place of the host of the platform: a stand-in. */
  baseUrl?: string;
  timeouts?: Partial<RcsTimeouts>;
  now?: () => number;
};

/** The management API of one agent: its record, its launch, and its test devices. No call throws for what the platform says. */
export function createRcsManagement({ agentId, keyFile, baseUrl, timeouts, now }: RcsManagementOptions) {
  const calls = createRcsCalls({
    ...{ baseUrl: baseUrl ?? MANAGEMENT_HOST, keyFile, connections: 2, scope: MANAGEMENT_SCOPE },
    ...(timeouts && { timeouts }),
    ...(now && { now }),
  });
  const ofAgent = queryOf({ agentId });
  const ask = (method: RcsCall['method'], path: string, query = '') => calls.call({ method, path, query });

  /** Launches by carrier; the platform names each carrier as a region. */
  async function readLaunches(agentName: string): Promise<PlatformAnswer<AgentReport['launches']>> {
    return toAnswer(await ask('GET', `${agentName}/launch`), (body) => {
      const details = recordOf(recordOf(recordOf(body)['rcsBusinessMessaging'])['launchDetails']);
      return Object.entries(details).map(([region, detail]) => ({
        carrier: region.replace(/^.*\/regions\//, ''),
        state: readState(recordOf(detail)['launchState']),
      }));
    });
  }

  const readAgent = () => ask('GET', `brands/-/agents/${encodeURIComponent(agentId)}`);

  return {
    async describe(): Promise<PlatformAnswer<Omit<AgentReport, 'features'>>> {
      const answer = toAnswer(await readAgent(), recordOf);
      if (answer.outcome !== 'done') return answer;
      const agent = answer.value;
      const about = recordOf(agent['rcsBusinessMessagingAgent']);
      const name = textOf(agent['name']) ?? '';
      const brandName = /^brands\/[^/]+/.exec(name)?.[0];
      const launches = await readLaunches(name);
      if (launches.outcome !== 'done') return launches;
      const brand = brandName === undefined ? null : await ask('GET', brandName);
      return {
        outcome: 'done',
        value: {
          displayName: textOf(agent['displayName']),
          brand: brand?.outcome === 'ok' ? textOf(recordOf(readBody(brand))['displayName']) : null,
          description: textOf(about['description']),
          useCase: lower(about['agentUseCase']),
          region: lower(about['hostingRegion']),
          billing: lower(recordOf(about['billingConfig'])['billingCategory']),
          launches: launches.value,
        },
      };
    },

    /** Null where the key may not read it, or the platform does not answer. */
    async launches(): Promise<AgentReport['launches'] | null> {
      const agent = await readAgent();
      const name = agent.outcome === 'ok' ? textOf(recordOf(readBody(agent))['name']) : null;
      const launches = name === null ? null : await readLaunches(name);
      return launches?.outcome === 'done' ? launches.value : null;
    },

    async testDevices(): Promise<PlatformAnswer<TestDevice[]>> {
      return toAnswer(await ask('GET', 'testers', ofAgent), (body) => {
        const testers = recordOf(body)['testers'];
        return (Array.isArray(testers) ? testers : []).flatMap((one) => readTestDevice(one) ?? []);
      });
    },

    async removeTestDevice(phone: string): Promise<PlatformAnswer<null>> {
      const answer = await ask('DELETE', `phones/${encodeURIComponent(phone)}/testers`, ofAgent);
      if (answer.outcome === 'refused' && answer.httpStatus === 404) return { outcome: 'done', value: null };
      return toAnswer(answer, () => null);
    },

    close: () => calls.close(),
  };
}

export type RcsManagement = ReturnType<typeof createRcsManagement>;

/** A test device in the platform's form; null for what is none. */
export function readTestDevice(value: unknown): TestDevice | null {
  if (!isRecord(value)) return null;
  const phone = textOf(value['phoneNumber']) ?? /^phones\/([^/]+)\//.exec(textOf(value['name']) ?? '')?.[1];
  const status = testDeviceStatuses.find((known) => known === lower(value['inviteStatus']));
  return phone === undefined ? null : { phone: decodeURIComponent(phone), status: status ?? 'pending' };
}

/** As the other calls, but a quota is an answer: it does not end within seconds. */
export function toAnswer<Value>(answer: RcsAnswer, read: (body: unknown) => Value): PlatformAnswer<Value> {
  if (answer.outcome === 'ok') return { outcome: 'done', value: read(readBody(answer)) };
  if (answer.outcome !== 'refused' || answer.isDoubtful) return { outcome: 'unreachable' };
  return { outcome: 'refused', reason: answer.code, code: errorOf(answer.code).code };
}

function readState(value: unknown): LaunchState {
  const word = (textOf(value) ?? '').replace(/^LAUNCH_STATE_/, '').toLowerCase();
  return launchStates.find((known) => known === word) ?? 'unlaunched';
}

const lower = (value: unknown): string | null => textOf(value)?.toLowerCase() ?? null;
