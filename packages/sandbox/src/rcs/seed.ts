import { generateKeyPairSync } from 'node:crypto';
import type { ServiceAccount } from './access.ts';
import { keyIdOf } from './service-keys.ts';

/** The agent that the sandbox knows from its start. */
export const sandboxAgent = {
  id: 'sandbox-agent',
  launch: 'LAUNCHED' as const,
  clientToken: 'sandbox-client-token',
};

/** What the platform knows of the agent, in the form of its management API. */
export const agentRecord = {
  name: `brands/sandbox-brand/agents/${sandboxAgent.id}`,
  displayName: 'Sandbox Agent',
  rcsBusinessMessagingAgent: {
    description: 'The agent of the sandbox.',
    billingConfig: { billingCategory: 'CONVERSATIONAL' },
    ...{ agentUseCase: 'MULTI_USE', hostingRegion: 'EUROPE' },
  },
};
export const brandRecord = { name: 'brands/sandbox-brand', displayName: 'Sandbox Brand' };

/** A service account with a fresh key: its private half is in the key file alone, as at the platform. */
export function createServiceAccount(): { account: ServiceAccount; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    ...{ email: 'product@sandbox-partner.iam.gserviceaccount.com', keyId: keyIdOf(publicKey) },
    agents: [sandboxAgent.id],
  };
  return { account, privateKey };
}
