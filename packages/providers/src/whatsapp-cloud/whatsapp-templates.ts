import type { ChannelTemplates } from '@app/domain/channels/open-channel';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { ProviderRejected } from '../provider-errors.ts';
import { askPlatform } from './ask-platform.ts';
import type { MediaCalls } from './media-calls.ts';
import type { TemplateCalls } from './template-calls.ts';

/** Graph's subcodes: the name is taken in this language, and a node that is not there. */
const NAME_TAKEN = '2388024';
const NOT_THERE = new Set(['33', '2388103']);
const MOST_PAGES = 100;

/** Puts templates on the platform and finds them there. */
export function openTemplates(client: TemplateCalls & MediaCalls): ChannelTemplates {
  return {
    submit: (draft, platformTemplateId) =>
      askPlatform(async () => {
        if (platformTemplateId !== null) {
          await client.editTemplate(platformTemplateId, draft);
          return { id: platformTemplateId, status: 'PENDING', category: draft.category };
        }
        try {
          return await client.createTemplate(draft);
        } catch (error) {
          if (!(error instanceof ProviderRejected) || error.subcode !== NAME_TAKEN) throw error;
          const existing = await findTemplate(client, draft.name, draft.language);
          if (!existing) throw error;
          // An edit of what is the same already would cost the one edit a day.
          if (existing.body === draft.body) return existing;
          await client.editTemplate(existing.id, draft);
          return { id: existing.id, status: 'PENDING', category: draft.category };
        }
      }),
    remove: (name, platformTemplateId) =>
      askPlatform(async () => {
        try {
          await client.deleteTemplate(name, platformTemplateId);
        } catch (error) {
          if (!(error instanceof ProviderRejected) || !isNotThere(error)) throw error;
        }
        return null;
      }),
    list: () => askPlatform(() => listAll(client)),
    uploadSample: (file) => askPlatform(() => client.uploadResumable(file)),
  };
}

async function listAll(client: TemplateCalls): Promise<ChannelTemplate[]> {
  const all: ChannelTemplate[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { templates, nextCursor }: Awaited<ReturnType<TemplateCalls['listTemplates']>> =
      await client.listTemplates(cursor === null ? {} : { cursor });
    all.push(...templates);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}

async function findTemplate(
  client: TemplateCalls,
  name: string,
  language: string,
): Promise<ChannelTemplate | undefined> {
  const { templates } = await client.listTemplates({ name });
  return templates.find((template) => template.name === name && template.language === language);
}

function isNotThere({ code, subcode, httpStatus }: ProviderRejected): boolean {
  return httpStatus === 404 || code === '132001' || (subcode !== undefined && NOT_THERE.has(subcode));
}
