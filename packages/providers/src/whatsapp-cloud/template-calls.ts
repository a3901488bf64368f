import type { ChannelTemplate, ChannelTemplateDraft } from '@app/domain/messaging/channel-template';
import { ProviderUnreachable } from '../provider-errors.ts';
import { type GraphAnswer, type GraphCalls, pathSegment } from './graph-calls.ts';
import {
  readPlatformTemplate,
  writeTemplateComponents,
  writeTemplateCreateBody,
} from './template-payload.ts';

export type TemplateCalls = {
  /** One page; `nextCursor` is null on the last. */
  listTemplates(options?: {
    cursor?: string;
    limit?: number;
    name?: string;
  }): Promise<{ templates: ChannelTemplate[]; nextCursor: string | null }>;
  getTemplate(templateId: string): Promise<ChannelTemplate>;
  /** The platform may put the template into another category than asked for. */
  createTemplate(draft: ChannelTemplateDraft): Promise<{ id: string; status: string; category: string }>;
  /** Replaces all components; the platform then reviews the template again. */
  editTemplate(templateId: string, draft: ChannelTemplateDraft): Promise<void>;
  /** With an id one language goes, without it every language of the name. */
  deleteTemplate(name: string, templateId?: string): Promise<void>;
};

const templateFields =
  'id,name,language,status,category,components,parameter_format,rejected_reason,quality_score';

export function createTemplateCalls(graph: GraphCalls, businessAccountId: string): TemplateCalls {
  const edge = `${pathSegment(businessAccountId)}/message_templates`;
  return {
    async listTemplates({ cursor, limit = 100, name } = {}) {
      const answer = await graph.call('GET', edge, {
        query: { fields: templateFields, limit, after: cursor, name },
      });
      const nodes: unknown[] = Array.isArray(answer['data']) ? answer['data'] : [];
      const templates = nodes.flatMap((node) => readPlatformTemplate(node) ?? []);
      return { templates, nextCursor: readNextCursor(answer) };
    },
    async getTemplate(templateId) {
      const answer = await graph.call('GET', pathSegment(templateId), { query: { fields: templateFields } });
      return readPlatformTemplate(answer) ?? throwUnreadable();
    },
    async createTemplate(draft) {
      const answer = await graph.call('POST', edge, { json: writeTemplateCreateBody(draft) });
      const { id, status, category } = answer;
      if (typeof id !== 'string' && typeof id !== 'number') return throwUnreadable();
      return {
        id: String(id),
        status: typeof status === 'string' ? status.toUpperCase() : 'PENDING',
        category: typeof category === 'string' ? category.toLowerCase() : draft.category,
      };
    },
    async editTemplate(templateId, draft) {
      await graph.call('POST', pathSegment(templateId), {
        json: { components: writeTemplateComponents(draft) },
      });
    },
    async deleteTemplate(name, templateId) {
      await graph.call('DELETE', edge, { query: { name, hsm_id: templateId } });
    },
  };
}

function readNextCursor(answer: GraphAnswer): string | null {
  const paging = answer['paging'];
  if (typeof paging !== 'object' || paging === null || !('next' in paging) || !paging.next) return null;
  const cursors = 'cursors' in paging ? paging.cursors : undefined;
  if (typeof cursors !== 'object' || cursors === null || !('after' in cursors)) return null;
  return typeof cursors.after === 'string' && cursors.after !== '' ? cursors.after : null;
}

function throwUnreadable(): never {
  throw new ProviderUnreachable('after_send', 'response_unreadable');
}
