import { generateKeyPairSync } from 'node:crypto';
import type { ServiceAccount } from './access.ts';
import { keyIdOf } from './service-keys.ts';

/** The agent that the sandbox knows from its start. */
export const sandboxAgent = {
  ...{ id: 'sandbox-agent', displayName: 'Sandbox Agent', clientToken: 'sandbox-client-token' },
};

/** What the platform knows of an agent, in the form of its management API. */
export function agentRecordOf({ id, displayName }: { id: string; displayName: string }) {
  return {
    ...{ name: `brands/sandbox-brand/agents/${id}`, displayName },
    rcsBusinessMessagingAgent: {
      description: id === sandboxAgent.id ? 'The agent of the sandbox.' : 'An agent of the sandbox.',
      billingConfig: { billingCategory: 'CONVERSATIONAL' },
      ...{ agentUseCase: 'MULTI_USE', hostingRegion: 'EUROPE' },
    },
  };
}
export const brandRecord = { name: 'brands/sandbox-brand', displayName: 'Sandbox Brand' };

/** The partner that owns the agents, and one that owns none of them. */
export const projects = ['sandbox-partner', 'another-partner'] as const;
export type Project = (typeof projects)[number];

/** A service account with a fresh key: its private half is in the key file alone, as at the platform. */
export function createServiceAccount(project: Project): { account: ServiceAccount; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    ...{ email: emailOf(project), keyId: keyIdOf(publicKey) },
    ownsAgents: project === 'sandbox-partner',
  };
  return { account, privateKey };
}

export const emailOf = (project: Project): string => `product@${project}.iam.gserviceaccount.com`;
