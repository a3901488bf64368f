import type { ChannelTemplate, ChannelTemplateDraft } from '@app/domain/messaging/channel-template';
import type { TemplatePlatform } from '../src/platform/template-platform.ts';

export type MemoryTemplatePlatform = TemplatePlatform & {
  templates: Map<string, ChannelTemplate>;
  /** What `submit` answers next instead of accepting. */
  refuseWith: string | null;
  /** The code beside that, as template calls have it. */
  refuseCode: string | null;
  isDown: boolean;
};

/** A platform in memory that keeps what it gets as pending, as the real one does before its review. */
export function createMemoryTemplatePlatform(): MemoryTemplatePlatform {
  const templates = new Map<string, ChannelTemplate>();
  let lastId = 0;
  const platform: MemoryTemplatePlatform = {
    templates,
    ...{ refuseWith: null, refuseCode: null },
    isDown: false,
    async submit(_channelId, draft, platformTemplateId) {
      if (platform.isDown) return { outcome: 'unreachable' };
      const { refuseWith: reason, refuseCode: subcode } = platform;
      if (reason !== null)
        return { outcome: 'refused', reason, ...(subcode !== null && { code: '100', subcode }) };
      const id = platformTemplateId ?? String(700_000_000_000_000 + (lastId += 1));
      templates.set(id, describe(id, draft));
      return { outcome: 'done', value: { id, status: 'PENDING', category: draft.category } };
    },
    async remove(_channelId, _name, platformTemplateId) {
      if (platform.isDown) return { outcome: 'unreachable' };
      templates.delete(platformTemplateId);
      return { outcome: 'done', value: null };
    },
    async uploadSample(_channelId, file) {
      return platform.isDown ? { outcome: 'unreachable' } : { outcome: 'done', value: `4::${file.name}` };
    },
    async uploadMedia() {
      lastId += 1;
      return platform.isDown
        ? { outcome: 'unreachable' }
        : { outcome: 'done', value: String(900_000_000_000_000 + lastId) };
    },
    async list() {
      return platform.isDown
        ? { outcome: 'unreachable' }
        : { outcome: 'done', value: [...templates.values()] };
    },
  };
  return platform;
}

function describe(id: string, draft: ChannelTemplateDraft): ChannelTemplate {
  const { name, language, category, body } = draft;
  return {
    ...{ id, name, language, category, body },
    status: 'PENDING',
    quality: 'UNKNOWN',
    rejectedReason: null,
    parameterFormat: 'named',
    header: null,
    footer: draft.footer ?? null,
    buttons: draft.buttons ?? [],
  };
}
