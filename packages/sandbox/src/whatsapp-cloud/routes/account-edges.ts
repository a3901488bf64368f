import { Hono } from 'hono';
import { readAnalytics, templateAnalytics } from '../analytics.ts';
import { accountOf } from '../access.ts';
import { GraphError, unknownNode } from '../errors.ts';
import { accountNode, findBusiness } from '../nodes/account-node.ts';
import { showEdge } from '../nodes/node-type.ts';
import type { Platform } from '../platform.ts';
import { nodeContext, type GraphEnv } from './graph-env.ts';
import { namesOf, readParameters, required } from './parameters.ts';

/** Lists that a sandbox has nothing in. */
const emptyEdges = [
  'assigned_users',
  'activities',
  'schedules',
  'solutions',
  'product_catalogs',
  'audiences',
  'flows',
];
const MOST_TEMPLATES = 10;

export function accountEdgeRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/template_analytics', async (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const parameters = await readParameters(c);
    if (!account.isEnabledForInsights) throw new GraphError(200007);
    required(parameters, 'template_ids');
    const ids = namesOf(parameters['template_ids']) ?? [];
    if (ids.length > MOST_TEMPLATES)
      throw new GraphError(100, {
        message: `(#100) Param template_ids must have at most ${MOST_TEMPLATES} items`,
      });
    const query = readAnalytics(parameters, ['DAILY']);
    return c.json(templateAnalytics(platform, account, query, ids));
  });

  for (const edge of emptyEdges) {
    app.get(`/:id/${edge}`, (c) => {
      accountOf(platform, c.get('graphApp'), c.req.param('id'));
      return c.json({ data: [] });
    });
  }
  // Flows belong to verified businesses; the sandbox has none.
  app.post('/:id/flows', () => {
    throw new GraphError(139000);
  });

  app.get('/:id/owned_whatsapp_business_accounts', (c) => {
    const business = findBusiness(platform, c.get('graphApp'), c.req.param('id'));
    if (!business) throw unknownNode(c.req.param('id'), 'GET');
    return c.json(showEdge(accountNode, business.accounts, c.req.query(), nodeContext(platform, c)));
  });
  app.get('/:id/client_whatsapp_business_accounts', (c) => c.json({ data: [] }));
  return app;
}
