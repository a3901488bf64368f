import { Hono } from 'hono';
import { accountOf, numberOf } from '../access.ts';
import { unknownNode } from '../errors.ts';
import { selectFields } from '../node-answers.ts';
import type { Platform } from '../platform.ts';
import type { Account } from '../store.ts';
import { originOf, readParameters, type GraphEnv } from './graph-env.ts';
import { showMedia, usableMedia } from './media.ts';
import { editTemplate, showTemplate, usualTemplateFields } from './message-templates.ts';
import { changeNumber, showNumber, usualNumberFields } from './phone-numbers.ts';
import { receiveUpload, uploadOf } from './uploads.ts';

/** `/{id}` alone: ids share one namespace, so the kind of node is found out first. */
export function nodeRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  const { store } = platform;

  app.get('/:id', (c) => {
    const id = c.req.param('id');
    const fields = c.req.query('fields');
    const graphApp = c.get('graphApp');
    if (id.startsWith('upload:')) {
      const upload = uploadOf(platform, id);
      return c.json({ id: upload.id, file_offset: upload.offset });
    }
    if (store.numbers.has(id)) {
      return c.json(
        selectFields(showNumber(platform, numberOf(platform, graphApp, id)), fields, usualNumberFields),
      );
    }
    if (store.accounts.has(id)) {
      const usual = ['name', 'timezone_id', 'message_template_namespace'];
      return c.json(selectFields(showAccount(accountOf(platform, graphApp, id)), fields, usual));
    }
    const template = store.templates.get(id);
    if (template) {
      accountOf(platform, graphApp, template.accountId);
      return c.json(selectFields(showTemplate(platform, template, originOf(c)), fields, usualTemplateFields));
    }
    if (store.media.has(id))
      return c.json(showMedia(c, usableMedia(platform, id, c.req.query('phone_number_id'))));
    if (id === graphApp.id) return c.json({ id, name: graphApp.name });
    throw unknownNode(id);
  });

  app.post('/:id', async (c) => {
    const id = c.req.param('id');
    const graphApp = c.get('graphApp');
    if (id.startsWith('upload:')) return receiveUpload(platform, c, uploadOf(platform, id));
    if (store.numbers.has(id))
      return c.json(await changeNumber(numberOf(platform, graphApp, id), await readParameters(c)));
    const template = store.templates.get(id);
    if (!template) throw unknownNode(id);
    accountOf(platform, graphApp, template.accountId);
    return c.json(editTemplate(platform, template, await readParameters(c)));
  });

  app.delete('/:id', (c) => {
    const id = c.req.param('id');
    store.removeMedia(usableMedia(platform, id, c.req.query('phone_number_id')));
    return c.json({ success: true });
  });

  return app;
}

function showAccount(account: Account): Record<string, unknown> {
  return {
    id: account.id,
    name: account.name,
    timezone_id: account.timezoneId,
    currency: account.currency,
    country: account.country,
    account_review_status: 'APPROVED',
    business_verification_status: 'verified',
    ownership_type: 'SELF',
    message_template_namespace: `ns_${account.id}`,
    marketing_messages_lite_api_status: 'ONBOARDED',
    health_status: {
      can_send_message: 'AVAILABLE',
      entities: [{ entity_type: 'WABA', id: account.id, can_send_message: 'AVAILABLE' }],
    },
  };
}
