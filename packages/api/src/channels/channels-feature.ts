import type { ServerFeature } from '../platform/features/server-feature.ts';
import { askAtStart, askedNumbers, askNumber } from './ask-numbers.ts';
import { channelAgentsApi } from './channel-agents-api.ts';
import { channelsApi } from './channels-api.ts';
import { checkAgent, checkedAgents } from './check-agent.ts';
import { connectionsApi } from './connections-api.ts';
import { numbersApi } from './numbers-api.ts';
import { proveNumbers, provenNumbers } from './prove-numbers.ts';

export const channelsFeature = {
  name: 'channels',
  consumers: [askAtStart],
  jobs: [askNumber, checkAgent, proveNumbers],
  schedules: [askedNumbers, checkedAgents, provenNumbers],
  router: {
    ...{ channels: channelsApi, channelAgents: channelAgentsApi },
    ...{ connections: connectionsApi, numbers: numbersApi },
  },
} satisfies ServerFeature;
