import type { HostFixture } from './host-fixture.ts';

export const FIRST_AGENT = { agentId: 'sandbox-agent', clientToken: 'a word that the platform knows' };

type Options = {
  /** How many of what is delivered is read. */
  readRate: number;
  /** One that the sandbox knows. */
  agent?: typeof FIRST_AGENT;
};

/** Connects an agent of the sandbox, whose phones answer at once, and answers the id of its channel. */
export async function connectAgent(
  host: HostFixture,
  { readRate, agent = FIRST_AGENT }: Options,
): Promise<string> {
  const rcs = <Answer>(path: string, body?: object) => host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);
  const serviceAccount = JSON.stringify(await rcs('service-account'));
  await rcs('behaviour', { latencyMs: 0, statusDelayMs: 1, deliveredRate: 1, readRate });
  const { agentId, clientToken } = agent;
  const { body } = await host.call<{ id: string }>('POST', '/api/channels/connections', {
    ...{ kind: 'rcs', server: 'sandbox' },
    values: {
      ...{ serviceAccount, agentId: `${agentId}@rbm.goog`, region: 'europe' },
      ...{ useCase: 'multi_use', clientToken },
    },
  });
  await rcs('webhook', { agentId, callbackUrl: `${host.url}/webhooks/rcs/sample`, clientToken });
  return body.id;
}
