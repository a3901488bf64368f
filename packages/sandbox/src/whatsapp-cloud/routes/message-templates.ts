import { Hono } from 'hono';
import { textOf, type JsonObject } from '../../core/json.ts';
import { accountOf } from '../access.ts';
import { GraphError, unknownNode } from '../errors.ts';
import { showEdge } from '../nodes/node-type.ts';
import { templateNode } from '../nodes/template-node.ts';
import type { Platform } from '../platform.ts';
import type { Template } from '../store.ts';
import { reviewLater } from '../templates/template-review.ts';
import { readCategory, readComponents, readTemplate, readTtl } from '../templates/template-rules.ts';
import { fromLibrary } from '../templates/template-library.ts';
import { nodeContext, type GraphEnv } from './graph-env.ts';
import { namesOf, readParameters } from './parameters.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export function messageTemplateRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();

  app.get('/:id/message_templates', (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const query = c.req.query();
    const all = platform.store.templatesOf(account.id);
    const found = all.filter((template) => matches(template, query));
    const page = showEdge(templateNode, found, query, nodeContext(platform, c));
    if (query['summary']) {
      page['summary'] = {
        total_count: all.length,
        message_template_count: all.length,
        message_template_limit: 6000,
      };
    }
    return c.json(page);
  });

  app.post('/:id/message_templates', async (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const body = fromLibrary(await readParameters(c));
    const draft = readTemplate(body, (handle) => platform.store.handles.has(handle.split('\n')[0] ?? ''));
    if (platform.store.findTemplate(account.id, draft.name, draft.language)) {
      throw new GraphError(100, {
        subcode: 2388024,
        message: 'Invalid parameter',
        userTitle: 'Content in This Language Already Exists',
        userMessage: `There is already ${draft.language} content for this template.`,
      });
    }
    const now = Date.now();
    if ((platform.store.reservedNames.get(`${account.id}/${draft.name}/${draft.language}`) ?? 0) > now) {
      throw new GraphError(100, {
        subcode: 2388023,
        message: 'Invalid parameter',
        userTitle: 'Message Template Language Is Being Deleted',
        userMessage:
          'New content cannot be added while the deleted template of this name is kept. Try again in 4 weeks.',
      });
    }
    limitCreations(platform, account, now);
    const template: Template = {
      ...draft,
      id: platform.store.ids.next('template'),
      accountId: account.id,
      status: draft.category === 'AUTHENTICATION' ? 'APPROVED' : 'PENDING',
      previousCategory: null,
      correctCategory: null,
      rejectedReason: 'NONE',
      qualityScore: 'UNKNOWN',
      sends: 0,
      edits: [],
      createdAt: now,
      ...(textOf(body['library_template_name'])
        ? { libraryName: textOf(body['library_template_name']) ?? '' }
        : {}),
    };
    platform.store.addTemplate(template);
    account.templateCreations.push(now);
    platform.changed();
    if (template.status === 'PENDING') reviewLater(platform, template);
    return c.json({ id: template.id, status: template.status, category: template.category });
  });

  app.delete('/:id/message_templates', async (c) => {
    const account = accountOf(platform, c.get('graphApp'), c.req.param('id'));
    const query = await readParameters(c);
    const doomed = findDoomed(platform.store.templatesOf(account.id), query);
    for (const template of doomed) {
      if (template.status === 'DISABLED') {
        throw new GraphError(100, { details: 'A disabled template cannot be deleted' });
      }
    }
    for (const template of doomed) {
      platform.store.removeTemplate(template);
      if (template.status === 'APPROVED') {
        platform.store.reservedNames.set(
          `${account.id}/${template.name}/${template.language}`,
          Date.now() + 30 * DAY_MS,
        );
      }
    }
    platform.changed();
    return c.json({ success: true });
  });

  app.post('/:id/unpause', (c) => {
    const template = templateOf(platform, c.get('graphApp').id, c.req.param('id'));
    if (template.status !== 'PAUSED') return c.json({ success: false, reason: 'The template is not paused' });
    template.status = 'APPROVED';
    platform.changed();
    return c.json({ success: true });
  });

  return app;
}

/** `POST /{template-id}`: components are replaced as a whole and reviewed again. */
export function editTemplate(platform: Platform, template: Template, parameters: JsonObject): JsonObject {
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw new GraphError(100, {
      subcode: 2388039,
      message: 'Invalid parameter',
      userTitle: 'Template cannot be edited',
      userMessage: `A template that is ${template.status} cannot be edited.`,
    });
  }
  const body = parameters;
  const category = body['category'] === undefined ? template.category : readCategory(body['category']);
  if (category !== template.category && template.status === 'APPROVED') {
    throw new GraphError(100, { details: 'The category of an approved template cannot be changed' });
  }
  const components =
    body['components'] === undefined
      ? template.components
      : readComponents(body['components'], category, template.parameterFormat, (handle) =>
          platform.store.handles.has(handle),
        );
  const ttlSeconds = readTtl(body['message_send_ttl_seconds'], category);
  if (template.status === 'APPROVED') countEdit(template);
  Object.assign(template, { category, components, ttlSeconds, status: 'PENDING' });
  reviewLater(platform, template);
  platform.changed();
  return { success: true };
}

function templateOf(platform: Platform, appId: string, id: string): Template {
  const template = platform.store.templates.get(id);
  const account = template && platform.store.accounts.get(template.accountId);
  if (!template || !account?.appIds.has(appId)) throw unknownNode(id);
  return template;
}

function matches(template: Template, query: Record<string, string>): boolean {
  const equal = (wanted: string | undefined, value: string) =>
    namesOf(wanted?.toUpperCase())?.includes(value.toUpperCase()) ?? true;
  const content = JSON.stringify(template.components).toLowerCase();
  const anywhere = query['name_or_content']?.toLowerCase();
  return (
    (query['name'] === undefined || template.name.includes(query['name'])) &&
    (query['content'] === undefined || content.includes(query['content'].toLowerCase())) &&
    (anywhere === undefined || template.name.includes(anywhere) || content.includes(anywhere)) &&
    equal(query['language'], template.language) &&
    equal(query['category'], template.category) &&
    equal(query['status'], template.status) &&
    equal(query['quality_score'], template.qualityScore)
  );
}

function limitCreations(platform: Platform, account: { templateCreations: number[] }, now: number): void {
  account.templateCreations = account.templateCreations.filter((at) => now - at < HOUR_MS);
  const limit = platform.behaviour.templatesPerHour;
  if (limit > 0 && account.templateCreations.length >= limit) {
    throw new GraphError(80007, { details: `Only ${limit} templates can be created in an hour` });
  }
}

function countEdit(template: Template): void {
  const now = Date.now();
  template.edits = template.edits.filter((at) => now - at < 30 * DAY_MS);
  if (template.edits.length >= 10 || template.edits.some((at) => now - at < DAY_MS)) {
    throw new GraphError(100, {
      message: 'Invalid parameter',
      userTitle: 'Template cannot be edited now',
      userMessage: 'An approved template can be edited once in 24 hours and 10 times in 30 days.',
    });
  }
  template.edits.push(now);
}

function findDoomed(templates: Template[], query: JsonObject): Template[] {
  const name = textOf(query['name']);
  const id = textOf(query['hsm_id']);
  const ids = query['hsm_ids'];
  let doomed: Template[];
  if (ids !== undefined) {
    const wanted = (namesOf(ids) ?? []).slice(0, 100);
    doomed = templates.filter((template) => wanted.includes(template.id));
    if (doomed.length !== wanted.length) doomed = [];
  } else if (name === undefined)
    throw new GraphError(100, { message: '(#100) The parameter name is required.' });
  else
    doomed = templates.filter(
      (template) => template.name === name && (id === undefined || template.id === id),
    );
  if (doomed.length === 0) {
    throw new GraphError(100, {
      subcode: 2593002,
      message: 'Invalid parameter',
      userMessage: 'The template was not found.',
    });
  }
  return doomed;
}
