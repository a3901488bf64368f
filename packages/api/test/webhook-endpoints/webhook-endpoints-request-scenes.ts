import { newId } from '@app/database/new-id';
import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, post, workspaceId }) => {
  const webhookUrl = 'http://127.0.0.1:9/hook';

  async function addWebhookEndpoint() {
    // A workspace has fifty at most.
    await query('DELETE FROM webhook_endpoints WHERE workspace_id = $1', [workspaceId]);
    return post('/api/webhook-endpoints', { url: webhookUrl });
  }

  async function addWebhookDelivery() {
    const { id: endpointId } = await addWebhookEndpoint();
    const deliveryId = newId();
    await query(
      `INSERT INTO webhook_deliveries (id, workspace_id, endpoint_id, type, occurred_at, body, status, next_attempt_at, created_at)
       VALUES ($1, $2, $3, 'contact.created', now(), '{}', 'failed', now(), now())`,
      [deliveryId, workspaceId, endpointId],
    );
    return { deliveryId };
  }

  return {
    makers: {
      endpointId: async () => ({ endpointId: (await addWebhookEndpoint()).id }),
      deliveryId: addWebhookDelivery,
    },
    scenes: {
      'webhookEndpoints.create': async () => ({ url: webhookUrl, description: `Receiver ${next()}` }),
      'webhookEndpoints.update': async () => {
        const { id: endpointId, version } = await addWebhookEndpoint();
        return { endpointId, version, url: webhookUrl, description: `Receiver ${next()}` };
      },
      'webhookDeliveries.resendMany': async () => ({
        endpointId: (await addWebhookEndpoint()).id,
        which: 'failed',
      }),
    },
  };
};
