import { webhookDeliveriesContract } from '@app/contracts/webhook-endpoints/webhook-deliveries-contract';
import { newId } from '@app/database/new-id';
import { TEST_EVENT, webhookBody } from '@app/domain/webhook-endpoints/webhook-events';
import { implementEndpoints } from '../platform/implement-endpoints.ts';
import { presentOperation } from '../platform/operations/present-operation.ts';
import { startSteps } from '../platform/operations/start-steps.ts';
import type { ReadScope } from '../platform/workspace-scope.ts';
import { insertDeliveries } from './enqueue-deliveries.ts';
import { findDelivery, listAttempts, listDeliveries, resendDelivery } from './webhook-deliveries-queries.ts';
import { findEndpoint, lockEndpoint } from './webhook-endpoints-queries.ts';
import { countToResend, findSameResend, webhookResend, type ResendWish } from './webhook-resend.ts';

const os = implementEndpoints(webhookDeliveriesContract);

export const webhookDeliveriesApi = os.router({
  list: os.list.handler(({ input, context }) => context.read((scope) => listDeliveries(scope, input))),

  get: os.get.handler(({ input, context, errors }) =>
    context.read(async (scope) => {
      const found = await findDelivery(scope, input.deliveryId);
      if (!found) throw errors.webhook_delivery_not_found();
      return { ...found, log: await listAttempts(scope, input.deliveryId) };
    }),
  ),

  sendTest: os.sendTest.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { endpointId } = input;
      if (!(await lockEndpoint(scope, endpointId))) throw errors.webhook_endpoint_not_found();
      const [id, now] = [newId(), scope.clock()];
      const occurredAt = now.toISOString();
      const event = { type: TEST_EVENT, occurredAt, subjectKind: 'webhook-endpoint', subject: endpointId };
      const body = webhookBody({ ...event, values: { message: 'This is a test event.' } });
      const delivery = { id, endpoint_id: endpointId, fact_id: null, type: TEST_EVENT, body };
      await insertDeliveries(
        ...([scope, scope.workspaceId] as const),
        [{ ...delivery, occurred_at: occurredAt, contact_ids: [], is_manual: true }],
        now,
      );
      const { body: _, ...added } = (await findDelivery(scope, id))!; // inserted above
      return added;
    }),
  ),

  resend: os.resend.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const outcome = await resendDelivery(scope, input.deliveryId);
      if (outcome !== 'resent') throw errors[outcome]();
      const { body: _, ...resent } = (await findDelivery(scope, input.deliveryId))!; // its row is locked
      return resent;
    }),
  ),

  previewResend: os.previewResend.handler(({ input, context, errors }) =>
    context.read('counting', async (scope) => {
      const { endpointId, which, from } = input;
      if (which === 'all' && from === undefined)
        throw errors.webhook_period_missing({ data: { field: 'from' } });
      if (!(await findEndpoint(scope, endpointId))) throw errors.webhook_endpoint_not_found();
      return { count: await countToResend(scope, wishOf(scope, input)) };
    }),
  ),

  resendMany: os.resendMany.handler(({ input, context, errors }) =>
    context.change(async (scope) => {
      const { endpointId, which, from } = input;
      if (which === 'all' && from === undefined)
        throw errors.webhook_period_missing({ data: { field: 'from' } });
      if (!(await lockEndpoint(scope, endpointId))) throw errors.webhook_endpoint_not_found();
      const wish = wishOf(scope, input);
      const same = await findSameResend(scope, wish);
      if (same) return presentOperation(same, { caller: scope.caller, now: scope.clock() });
      const total = await countToResend(scope, wish);
      return startSteps(scope, context, webhookResend, {
        id: newId(),
        kind: webhookResend.name,
        total,
        wish,
      });
    }),
  ),
});

function wishOf(
  scope: ReadScope,
  {
    endpointId,
    which,
    from,
    to,
  }: Pick<ResendWish, 'endpointId' | 'which'> & { from?: string | undefined; to?: string | undefined },
): ResendWish {
  return {
    ...{ endpointId, which, from: from ?? null, to: to ?? scope.clock().toISOString() },
    isUntilNow: to === undefined,
  };
}
