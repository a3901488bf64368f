import { webhookEndpointsContract } from '@app/contracts/webhook-endpoints/webhook-endpoints-contract';
import { readDefinition } from '@app/domain/events/fact-catalogue';
import { exampleEvent, webhookBody, webhookEventTypes } from '@app/domain/webhook-endpoints/webhook-events';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import type { ApiDependencies } from '../platform/request-context.ts';
import { makeWebhookSecret } from './sign-webhook.ts';
import {
  addEndpoint,
  changeEndpoint,
  findEndpoint,
  listEndpoints,
  lockEndpoint,
  pauseEndpoint,
  readSecrets,
  removeEndpoint,
  resumeEndpoint,
  rotateSecret,
  type EndpointParts,
} from './webhook-endpoints-queries.ts';

const os = implementEndpoints(webhookEndpointsContract);

export const webhookEndpointsApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listEndpoints(scope, input))),

  listEventTypes: os.listEventTypes.handler(({ context }) => ({
    items: webhookEventTypes.map((type) => ({
      type,
      group: readDefinition(type).subject,
      example: webhookBody(exampleEvent(type, context.clock().toISOString())),
    })),
  })),

  get: os.get.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => findEndpoint(scope, input.endpointId));
    if (!found) throw errors.webhook_endpoint_not_found();
    return found;
  }),

  create: os.create.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const problem = problemOf(context, input);
      if (problem) throw errors[problem.code]({ data: { field: problem.field } });
      const secret = await context.secrets.seal(makeWebhookSecret());
      const added = await addEndpoint(scope, { ...input, secret });
      if (!added) throw errors.webhook_endpoint_limit();
      return added;
    }),
  ),

  update: os.update.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      if (!(await lockEndpoint(scope, input.endpointId))) throw errors.webhook_endpoint_not_found();
      const problem = problemOf(context, input);
      if (problem) throw errors[problem.code]({ data: { field: problem.field } });
      const changed = await changeEndpoint(scope, input);
      if (typeof changed === 'string') throw errors[changed]();
      return changed;
    }),
  ),

  setPaused: os.setPaused.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { endpointId, isPaused } = input;
      const found = await lockEndpoint(scope, endpointId);
      if (!found) throw errors.webhook_endpoint_not_found();
      const { url } = found;
      if (isPaused) await pauseEndpoint(scope, { endpointId, url, reason: 'person' });
      else await resumeEndpoint(scope, { endpointId, url, waiting: input.waiting });
      return (await findEndpoint(scope, endpointId))!; // its row is locked
    }),
  ),

  getSecret: os.getSecret.handler(async ({ input, context, errors }) => {
    const found = await context.read((scope) => readSecrets(scope, input.endpointId));
    if (!found) throw errors.webhook_endpoint_not_found();
    return {
      secret: await context.secrets.open(found.secret),
      previousSecret: found.previous && (await context.secrets.open(found.previous)),
      previousSecretUntil: found.until?.toISOString() ?? null,
    };
  }),

  rotateSecret: os.rotateSecret.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await lockEndpoint(scope, input.endpointId);
      if (!found) throw errors.webhook_endpoint_not_found();
      const secret = await context.secrets.seal(makeWebhookSecret());
      await rotateSecret(scope, { ...input, url: found.url, secret });
      return (await findEndpoint(scope, input.endpointId))!; // its row is locked
    }),
  ),

  remove: os.remove.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const found = await lockEndpoint(scope, input.endpointId);
      if (!found) throw errors.webhook_endpoint_not_found();
      await removeEndpoint(scope, { endpointId: input.endpointId, url: found.url });
      return {};
    }),
  ),
});

type Problem = {
  code: 'webhook_url_invalid' | 'webhook_url_refused' | 'webhook_url_insecure' | 'webhook_event_unknown';
  field: string;
};

/** What the address alone shows, and events that are none. Plain http is for hosts that the operator named, such as the sandbox. */
function problemOf(
  { calls }: Pick<ApiDependencies, 'calls'>,
  { url, eventTypes }: EndpointParts,
): Problem | null {
  const problem = calls.checkAddress(url);
  if (problem === 'invalid_address') return { code: 'webhook_url_invalid', field: 'url' };
  if (problem === 'address_refused') return { code: 'webhook_url_refused', field: 'url' };
  if (new URL(url).protocol !== 'https:' && !calls.isNamed(url))
    return { code: 'webhook_url_insecure', field: 'url' };
  const isKnown = (type: string) => webhookEventTypes.some((known) => known === type);
  return eventTypes.every(isKnown) ? null : { code: 'webhook_event_unknown', field: 'eventTypes' };
}
