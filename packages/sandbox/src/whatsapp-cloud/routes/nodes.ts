import { Hono } from 'hono';
import { textOf, type JsonObject } from '../../core/json.ts';
import { kindOf } from '../edges.ts';
import { GraphError, unknownNode } from '../errors.ts';
import { accountNode, appNode, businessNode, findBusiness } from '../nodes/account-node.ts';
import { mediaNode } from '../nodes/media-node.ts';
import { showNode } from '../nodes/node-type.ts';
import { numberNode } from '../nodes/number-node.ts';
import { templateNode } from '../nodes/template-node.ts';
import type { Platform } from '../platform.ts';
import type { Account } from '../store.ts';
import { nodeContext, type GraphEnv } from './graph-env.ts';
import { usableMedia } from './media.ts';
import { editTemplate } from './message-templates.ts';
import { flagOf, readParameters } from './parameters.ts';
import { changeNumber } from './phone-numbers.ts';
import { receiveUpload, uploadOf } from './uploads.ts';

/** `/{id}` alone: ids share one namespace, so the kind of node is found out first. */
export function nodeRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  const { store } = platform;

  app.get('/:id', (c) => {
    const id = c.req.param('id');
    const fields = c.req.query('fields');
    const context = nodeContext(platform, c);
    const graphApp = c.get('graphApp');
    const number = store.numbers.get(id);
    if (number) return c.json(showNode(numberNode, number, fields, context));
    const account = store.accounts.get(id);
    if (account) return c.json(showNode(accountNode, account, fields, context));
    const template = store.templates.get(id);
    if (template) return c.json(showNode(templateNode, template, fields, context));
    if (store.media.has(id)) {
      const media = usableMedia(platform, id, c.req.query('phone_number_id'));
      return c.json(showNode(mediaNode, media, fields, context));
    }
    if (id.startsWith('upload:')) {
      const upload = uploadOf(platform, id);
      return c.json({ id: upload.id, file_offset: upload.offset });
    }
    const business = findBusiness(platform, graphApp, id);
    if (business) return c.json(showNode(businessNode, business, fields, context));
    return c.json(showNode(appNode, graphApp, fields, context));
  });

  app.post('/:id', async (c) => {
    const id = c.req.param('id');
    if (id.startsWith('upload:')) return receiveUpload(platform, c, uploadOf(platform, id));
    const parameters = await readParameters(c);
    const number = store.numbers.get(id);
    if (number) return c.json(await changeNumber(number, parameters));
    const account = store.accounts.get(id);
    if (account) return c.json(changeAccount(platform, account, parameters));
    const template = store.templates.get(id);
    if (!template) throw unknownNode(id, 'POST');
    return c.json(editTemplate(platform, template, parameters));
  });

  app.delete('/:id', (c) => {
    const id = c.req.param('id');
    if (kindOf(platform, c.get('graphApp'), id) !== 'media') throw unknownNode(id, 'DELETE');
    store.removeMedia(usableMedia(platform, id, c.req.query('phone_number_id')));
    return c.json({ success: true });
  });

  return app;
}

/** `POST /{account}`: its name, its time zone, or whether template analytics are collected. */
function changeAccount(platform: Platform, account: Account, parameters: JsonObject): JsonObject {
  const name = textOf(parameters['name']);
  const timezoneId = textOf(parameters['timezone_id']);
  const insights = parameters['is_enabled_for_insights'];
  if (name === undefined && timezoneId === undefined && insights === undefined)
    throw new GraphError(100, { message: '(#100) Give name, timezone_id or is_enabled_for_insights' });
  if (timezoneId !== undefined && !/^\d{1,3}$/.test(timezoneId))
    throw new GraphError(100, { message: '(#100) Param timezone_id must be a number' });
  if (insights !== undefined && !flagOf(insights)) throw new GraphError(200006);
  if (name) account.name = name;
  if (timezoneId) account.timezoneId = timezoneId;
  if (insights !== undefined) account.isEnabledForInsights = true;
  platform.changed();
  return { success: true, id: account.id };
}
