import { Hono } from 'hono';
import { listOf, textOf, type JsonObject } from '../../core/json.ts';
import { numberOf } from '../access.ts';
import { GraphError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { showNode } from '../nodes/node-type.ts';
import { profileNode } from '../nodes/number-node.ts';
import { nodeContext, originOf, type GraphEnv } from './graph-env.ts';
import { readParameters, requireProduct } from './parameters.ts';

const lengths: Record<string, number> = { about: 139, address: 256, description: 512, email: 128 };
const LARGEST_PICTURE = 5 * 1024 * 1024;
const verticals =
  'UNDEFINED OTHER AUTO BEAUTY APPAREL EDU ENTERTAIN EVENT_PLAN FINANCE GROCERY GOVT HOTEL HEALTH NONPROFIT PROF_SERVICES ' +
  'RETAIL TRAVEL RESTAURANT ALCOHOL ONLINE_GAMBLING PHYSICAL_GAMBLING OTC_DRUGS NOT_A_BIZ';

export function businessProfileRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/whatsapp_business_profile', (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const shown = showNode(profileNode, number, c.req.query('fields'), nodeContext(platform, c));
    return c.json({ data: [{ messaging_product: 'whatsapp', ...shown }] });
  });

  app.post('/:id/whatsapp_business_profile', async (c) => {
    const number = numberOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = await readParameters(c);
    requireProduct(body);
    const changes: JsonObject = {};
    for (const [field, limit] of Object.entries(lengths)) {
      const text = textOf(body[field]);
      if (text === undefined) continue;
      if (text.length > limit)
        throw new GraphError(100, { details: `${field} is longer than ${limit} characters` });
      if (field === 'about' && text === '') throw new GraphError(100, { details: 'about cannot be empty' });
      changes[field] = text;
    }
    if (body['websites'] !== undefined) changes['websites'] = readWebsites(body['websites']);
    const vertical = textOf(body['vertical']);
    if (vertical !== undefined) {
      if (!verticals.split(' ').includes(vertical))
        throw new GraphError(100, { details: 'vertical is not known' });
      changes['vertical'] = vertical;
    }
    const handle = textOf(body['profile_picture_handle']);
    if (handle !== undefined) {
      const picture = platform.store.handles.get(handle);
      if (!picture) throw new GraphError(100, { details: 'profile_picture_handle is not known' });
      if (!/^image\/(jpe?g|png)$/.test(picture.mimeType) || picture.bytes.length > LARGEST_PICTURE)
        throw new GraphError(100, { details: 'The profile picture must be a JPEG or PNG of at most 5 MB' });
      changes['profile_picture_url'] =
        `${originOf(c)}/_sandbox/whatsapp/samples/${encodeURIComponent(handle)}`;
    }
    Object.assign(number.profile, changes);
    return c.json({ success: true });
  });

  return app;
}

function readWebsites(value: unknown): string[] {
  const websites = listOf(value).map(String);
  if (websites.length > 2) throw new GraphError(100, { details: 'At most two websites' });
  for (const website of websites) {
    if (website.length > 256 || !/^https?:\/\//.test(website))
      throw new GraphError(100, { details: 'A website is not valid' });
  }
  return websites;
}
