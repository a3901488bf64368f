import type { PlatformAnswer, PlatformFile, TemplatePlatform } from '@app/api/platform/template-platform';
import type { ChannelTemplate } from '@app/domain/messaging/channel-template';
import { explainDeliveryError } from '@app/domain/messaging/delivery-error-words';
import { ProviderRejected, ProviderUnreachable } from '@app/providers/provider-errors';
import type { UploadSource } from '@app/providers/whatsapp-cloud/media-calls';
import type { WhatsAppCloudClient } from '@app/providers/whatsapp-cloud/whatsapp-cloud-client';
import type { ChannelRegistry } from './channel-registry.ts';

/** Graph's subcodes: the name is taken in this language, and a node that is not there. */
const NAME_TAKEN = '2388024';
const NOT_THERE = new Set(['33', '2388103']);
const MOST_PAGES = 100;

/** Puts templates on the platform through the WhatsApp client of their channel. */
export function createTemplatePlatform(channels: Pick<ChannelRegistry, 'openWhatsApp'>): TemplatePlatform {
  return {
    submit: (channelId, draft, platformTemplateId) =>
      ask(channels, channelId, async (client) => {
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
    remove: (channelId, name, platformTemplateId) =>
      ask(channels, channelId, async (client) => {
        try {
          await client.deleteTemplate(name, platformTemplateId);
        } catch (error) {
          if (!(error instanceof ProviderRejected) || !isNotThere(error)) throw error;
        }
        return null;
      }),
    list: (channelId) => ask(channels, channelId, listAll),
    uploadSample: (channelId, file) =>
      ask(channels, channelId, (client) => client.uploadResumable(toUploadSource(file))),
    uploadMedia: (channelId, file) =>
      ask(channels, channelId, (client) => client.uploadMedia(toUploadSource(file))),
  };
}

function toUploadSource({ name, mimeType, bytes }: PlatformFile): UploadSource {
  return {
    filename: name,
    mimeType,
    size: bytes.length,
    async *open(fromByte) {
      yield bytes.subarray(fromByte);
    },
  };
}

async function listAll(client: WhatsAppCloudClient): Promise<ChannelTemplate[]> {
  const all: ChannelTemplate[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { templates, nextCursor }: Awaited<ReturnType<WhatsAppCloudClient['listTemplates']>> =
      await client.listTemplates(cursor === null ? {} : { cursor });
    all.push(...templates);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return all;
}

async function findTemplate(
  client: WhatsAppCloudClient,
  name: string,
  language: string,
): Promise<ChannelTemplate | undefined> {
  const { templates } = await client.listTemplates({ name });
  return templates.find((template) => template.name === name && template.language === language);
}

async function ask<Value>(
  channels: Pick<ChannelRegistry, 'openWhatsApp'>,
  channelId: string,
  work: (client: WhatsAppCloudClient) => Promise<Value>,
): Promise<PlatformAnswer<Value>> {
  try {
    return { outcome: 'done', value: await work(await channels.openWhatsApp(channelId)) };
  } catch (error) {
    if (error instanceof ProviderUnreachable) return { outcome: 'unreachable' };
    if (!(error instanceof ProviderRejected)) throw error;
    return error.retryable ? { outcome: 'unreachable' } : { outcome: 'refused', reason: explain(error) };
  }
}

/** The subcode says more about a template than the code 100 that stands above it. */
function explain({ code, subcode, title, details }: ProviderRejected): string {
  const told = { title, ...(details !== undefined && { details }) };
  if (subcode !== undefined) return explainDeliveryError({ code: subcode, ...told });
  return code === '100' && (details ?? title) !== ''
    ? (details ?? title)
    : explainDeliveryError({ code, ...told });
}

function isNotThere({ code, subcode, httpStatus }: ProviderRejected): boolean {
  return httpStatus === 404 || code === '132001' || (subcode !== undefined && NOT_THERE.has(subcode));
}
