import { Hono, type Context } from 'hono';
import { accountOf } from '../access.ts';
import { pageOf } from '../node-answers.ts';
import type { Platform } from '../platform.ts';
import {
  libraryTemplates,
  showLibraryTemplate,
  type LibraryTemplate,
} from '../templates/template-library.ts';
import type { GraphEnv } from './graph-env.ts';
import { namesOf } from './parameters.ts';

/** The library hangs at the root and at each account. */
export function templateLibraryRoutes(platform: Platform): Hono<GraphEnv> {
  const app = new Hono<GraphEnv>();
  const list = (c: Context<GraphEnv>) => {
    const query = c.req.query();
    const found = libraryTemplates.filter((template) => matches(template, query));
    return c.json(pageOf(found.map(showLibraryTemplate), { ...query, url: c.req.url }));
  };
  app.get('/message_template_library', list);
  app.get('/:id/message_template_library', (c) => {
    accountOf(platform, c.get('graphApp'), c.req.param('id'));
    return list(c);
  });
  return app;
}

function matches(template: LibraryTemplate, query: Record<string, string>): boolean {
  const search = (query['search'] ?? query['name_or_content'] ?? '').toLowerCase();
  const isAny = (wanted: string | undefined, values: string[]) =>
    namesOf(wanted?.toUpperCase())?.some((name) => values.includes(name)) ?? true;
  return (
    (query['name'] === undefined || template.name === query['name']) &&
    `${template.name} ${template.body}`.toLowerCase().includes(search) &&
    isAny(query['category'], [template.category]) &&
    isAny(query['topic'], [template.topic]) &&
    isAny(query['usecase'], [template.usecase]) &&
    isAny(query['industry'], template.industry) &&
    isAny(query['language'], ['EN_US'])
  );
}
