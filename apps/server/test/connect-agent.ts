import type { HostFixture } from './host-fixture.ts';

/** Connects the agent of the sandbox, whose phones answer at once, and answers the id of its channel. `readRate`: how many of what is delivered is read. */
export async function connectAgent(host: HostFixture, { readRate }: { readRate: number }): Promise<string> {
  const rcs = <Answer>(path: string, body?: object) => host.sandbox<Answer>(`/_sandbox/rcs/${path}`, body);
  const serviceAccount = JSON.stringify(await rcs('service-account'));
  await rcs('behaviour', { latencyMs: 0, statusDelayMs: 1, deliveredRate: 1, readRate });
  const clientToken = 'a word that the platform knows';
  const { body } = await host.call<{ id: string }>('POST', '/api/channels/connections', {
    ...{ kind: 'rcs', server: 'sandbox' },
    values: {
      ...{ serviceAccount, agentId: 'sandbox-agent@rbm.goog', region: 'europe' },
      ...{ useCase: 'multi_use', clientToken },
    },
  });
  await rcs('webhook', { callbackUrl: `${host.url}/webhooks/rcs/sample`, clientToken });
  return body.id;
}
