import { generateKeyPairSync } from 'node:crypto';
import type { ServiceAccount } from './access.ts';

/** The agent that the sandbox knows from its start. */
export const sandboxAgent = {
  id: 'sandbox-agent',
  launch: 'LAUNCHED' as const,
  clientToken: 'sandbox-client-token',
};

/** A service account with a fresh key: its private half is in the key file alone, as at the platform. */
export function createServiceAccount(): { account: ServiceAccount; privateKey: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const account = {
    ...{ email: 'product@sandbox-partner.iam.gserviceaccount.com', keyId: 'sandbox-key-1', publicKey },
    agents: [sandboxAgent.id],
  };
  return { account, privateKey };
}
