import { Hono } from 'hono';
import { textOf } from '../../core/json.ts';
import { accountOf } from '../access.ts';
import { GraphError, unknownNode } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { subscribedAppsOf } from '../nodes/account-node.ts';
import { webhookFields } from '../webhook-fields.ts';
import type { GraphEnv } from './graph-env.ts';
import { namesOf, readParameters } from './parameters.ts';
import { readOverride, requireHandshake } from './phone-numbers.ts';

export function subscriptionRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/subscriptions', (c) => {
    const graphApp = c.get('graphApp');
    if (c.req.param('id') !== graphApp.id) throw unknownNode(c.req.param('id'));
    if (!graphApp.callbackUrl) return c.json({ data: [] });
    const fields = (graphApp.fields ?? webhookFields).map((name) => ({ name, version: 'v26.0' }));
    return c.json({
      data: [
        { object: 'whatsapp_business_account', callback_url: graphApp.callbackUrl, active: true, fields },
      ],
    });
  });

  app.post('/:id/subscriptions', async (c) => {
    const graphApp = c.get('graphApp');
    if (c.req.param('id') !== graphApp.id) throw unknownNode(c.req.param('id'));
    const query = await readParameters(c);
    const url = textOf(query['callback_url']);
    const verifyToken = textOf(query['verify_token']);
    if (query['object'] !== 'whatsapp_business_account') {
      throw new GraphError(100, { message: '(#100) object must be whatsapp_business_account' });
    }
    if (!url || !verifyToken || !URL.canParse(url)) {
      throw new GraphError(100, {
        message: '(#100) The parameters callback_url and verify_token are required.',
      });
    }
    const fields = namesOf(query['fields'])?.filter(Boolean);
    const unknown = fields?.filter((field) => !webhookFields.includes(field)) ?? [];
    if (unknown.length > 0)
      throw new GraphError(100, { message: `(#100) Invalid field: ${unknown.join(', ')}` });
    await requireHandshake(url, verifyToken);
    Object.assign(graphApp, {
      callbackUrl: url,
      verifyToken,
      fields: fields?.length ? fields : graphApp.fields,
    });
    platform.changed();
    return c.json({ success: true });
  });

  app.delete('/:id/subscriptions', (c) => {
    const graphApp = c.get('graphApp');
    if (c.req.param('id') !== graphApp.id) throw unknownNode(c.req.param('id'));
    graphApp.callbackUrl = null;
    graphApp.fields = [];
    platform.changed();
    return c.json({ success: true });
  });

  app.get('/:id/subscribed_apps', (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    return c.json({ data: subscribedAppsOf(platform, account) });
  });

  app.post('/:id/subscribed_apps', async (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    // A call without address removes an earlier override.
    account.override = await readOverride(await readParameters(c));
    account.subscribedAppIds.add(c.get('graphApp').id);
    platform.changed();
    return c.json({ success: true });
  });

  app.delete('/:id/subscribed_apps', (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    account.subscribedAppIds.delete(c.get('graphApp').id);
    account.override = null;
    platform.changed();
    return c.json({ success: true });
  });

  return app;
}
