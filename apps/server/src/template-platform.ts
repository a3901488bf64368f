import type { TemplatePlatform } from '@app/api/platform/template-platform';
import type { OpenChannel } from '@app/domain/channels/open-channel';
import type { ChannelRegistry } from './channel-registry.ts';

/** Puts templates and their files on the platform of a stored channel. */
export function createTemplatePlatform({ open }: Pick<ChannelRegistry, 'open'>): TemplatePlatform {
  return {
    submit: async (channelId, draft, platformTemplateId) =>
      templatesOf(await open(channelId)).submit(draft, platformTemplateId),
    remove: async (channelId, name, platformTemplateId) =>
      templatesOf(await open(channelId)).remove(name, platformTemplateId),
    list: async (channelId) => templatesOf(await open(channelId)).list(),
    uploadSample: async (channelId, file) => templatesOf(await open(channelId)).uploadSample(file),
    uploadMedia: async (channelId, file) => mediaOf(await open(channelId)).upload(file),
  };
}

/** Whoever asks has looked at what the kind of the channel can do. */
function templatesOf({ templates }: OpenChannel): NonNullable<OpenChannel['templates']> {
  if (!templates) throw new Error('This kind of channel has no templates.');
  return templates;
}

function mediaOf({ media }: OpenChannel): NonNullable<OpenChannel['media']> {
  if (!media) throw new Error('This kind of channel takes no files.');
  return media;
}
