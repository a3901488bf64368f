import { readCode } from '@app/domain/channel-kinds/kind-codes';
import type { AgentDesk } from '@app/domain/channels/agent-desk';
import type {
  AccountDesk,
  AccountNumber,
  ChannelConnector,
  ConnectionCheck,
  ConnectionProblem,
  FieldCheck,
} from '@app/domain/channels/channel-connector';
import type { Credentials } from '@app/domain/channels/channel-credentials';
import { DISCONNECTED } from '@app/domain/channels/disconnected';
import type { PlatformAnswer } from '@app/domain/channels/platform-answer';
import { agentStopCodes, readAgentState } from './agent-state.ts';
import type { RcsManagement } from './rcs-management.ts';
import { readServiceAccount } from './service-account.ts';
import { plainAgentId } from './rcs-webhooks.ts';
import { NOBODYS_NUMBER, regionHosts, type RcsClient } from './rcs-client.ts';

export const PLATFORM = regionHosts.global;

const ofCredentials = new Set([
  'UNAUTHENTICATED',
  'invalid_grant',
  'invalid_scope',
  'key_unreadable',
  ...agentStopCodes.map((code) => readCode(code).code),
]);

/** How the two APIs of the platform are called with given credentials. */
type Openers = {
  client: (credentials: Credentials) => RcsClient;
  management: (credentials: Credentials) => RcsManagement;
};

/** How people connect an agent of RCS for Business. */
export function connectorOf({ client: open, management }: Openers): ChannelConnector {
  return {
    server: { field: 'baseUrl', platform: PLATFORM, standInPath: '/rcs' },
    addressField: 'agentId',
    accountField: 'agentId',
    webhookToken: 'clientToken',
    least: ['serviceAccount', 'agentId'],
    prove: (credentials) => proveConnection(credentials, open),
    mendedBy: (code) =>
      code === DISCONNECTED || ofCredentials.has(readCode(code).code) ? 'credentials' : null,
    open: (credentials) => openDesk(open(credentials), credentials),
    agent: {
      stops: agentStopCodes,
      open: (credentials) => openAgentDesk(open(credentials), management(credentials)),
      async readState(credentials) {
        const [client, managed] = [open(credentials), management(credentials)];
        try {
          return await readAgentState(client, managed);
        } finally {
          await Promise.all([client.close(), managed.close()]);
        }
      },
    },
  };
}

function openAgentDesk(client: RcsClient, management: RcsManagement): AgentDesk {
  return {
    async describe() {
      const found = await management.describe();
      if (found.outcome !== 'done') return found;
      const devices = await management.testDevices();
      const accepted =
        devices.outcome === 'done' ? devices.value.find(({ status }) => status === 'accepted') : undefined;
      // The platform tells features of phones, not of agents.
      const shown = accepted && (await client.checkPhone(accepted.phone));
      return {
        outcome: 'done',
        value: { ...found.value, features: shown?.outcome === 'done' ? shown.value : null },
      };
    },
    testDevices: () => management.testDevices(),
    invite: (phone) => client.inviteTester(phone),
    remove: (phone) => management.removeTestDevice(phone),
    close: async () => void (await Promise.all([client.close(), management.close()])),
  };
}

type Found = ConnectionProblem | null;

/** Signs in with the key, then asks about a phone in the name of the agent: any answer about the phone proves the agent. */
async function proveConnection(
  credentials: Credentials,
  open: (credentials: Credentials) => RcsClient,
): Promise<ConnectionCheck> {
  const { serviceAccount = '', agentId = '' } = credentials;
  const fields: FieldCheck[] = [];
  const tell = (field: string, problem: Found, detail: string | null = null) =>
    fields.push({ field, state: stateOf(problem), problem, detail });
  const leave = (field: string) => fields.push({ field, state: 'unproven', problem: null, detail: null });
  const account = readServiceAccount(serviceAccount);
  const client = open(credentials);
  try {
    const signedIn = serviceAccount === '' ? null : await client.signIn();
    if (signedIn) {
      const found = problemOfKey(signedIn);
      tell('serviceAccount', found, found === 'platform_refused' ? reasonOf(signedIn) : null);
    }
    if (agentId !== '') {
      if (signedIn?.outcome !== 'done') leave('agentId');
      else {
        const asked = await client.checkPhone(NOBODYS_NUMBER);
        const found = problemOfAgent(asked);
        tell('agentId', found, found === 'platform_refused' ? reasonOf(asked) : null);
      }
    }
  } finally {
    await client.close();
  }
  return {
    fields,
    // Whose key it is: the project stands behind the at sign.
    accountName: account?.email.replace(/^[^@]*@|\.iam\.gserviceaccount\.com$/g, '') ?? null,
    displayName: agentId === '' ? null : plainAgentId(agentId),
    ...{ messagesPerSecond: null, endsAt: null },
  };
}

function problemOfKey(answer: PlatformAnswer<unknown>): Found {
  if (answer.outcome === 'done') return null;
  if (answer.outcome === 'unreachable') return 'platform_away';
  switch (answer.reason) {
    case 'key_unreadable':
      return 'key_unreadable';
    case 'invalid_grant':
    case 'invalid_scope':
      return 'key_refused';
    default:
      return 'platform_refused';
  }
}

function problemOfAgent(answer: PlatformAnswer<unknown>): Found {
  if (answer.outcome === 'done') return null;
  if (answer.outcome === 'unreachable') return 'platform_away';
  return answer.reason === 'PERMISSION_DENIED' || answer.reason === 'INVALID_ARGUMENT'
    ? 'agent_unknown'
    : 'platform_refused';
}

function reasonOf(answer: PlatformAnswer<unknown>): string | null {
  return answer.outcome === 'refused' ? answer.reason : null;
}

function stateOf(problem: Found): FieldCheck['state'] {
  if (problem === 'platform_away') return 'unproven';
  return problem === null ? 'right' : 'wrong';
}

/** An agent has no account to look after from here: it is set up and launched at the platform. */
function openDesk(client: RcsClient, { agentId = '' }: Credentials): AccountDesk {
  const address = plainAgentId(agentId);
  const describe = async (): Promise<PlatformAnswer<AccountNumber>> => {
    const answer = await client.signIn();
    return answer.outcome === 'done' ? { outcome: 'done', value: agentOf(address) } : answer;
  };
  const notThere = (): Promise<Exclude<PlatformAnswer<never>, { outcome: 'done' }>> =>
    Promise.resolve({ outcome: 'refused', reason: 'not_offered' });
  return {
    async numbers() {
      const answer = await describe();
      return answer.outcome === 'done' ? { outcome: 'done', value: [answer.value] } : answer;
    },
    number: () => describe(),
    requestCode: notThere,
    verifyCode: notThere,
    register: notThere,
    subscription: notThere,
    subscribe: notThere,
    close: () => client.close(),
  };
}

function agentOf(address: string): AccountNumber {
  return {
    ...{ address, displayNumber: address, name: null, quality: 'unknown', health: null, status: null },
    ...{ nameStatus: null, codeStatus: null, maySend: true, hasPin: false },
    ...{ peopleADay: null, messagesPerSecond: null },
  };
}
