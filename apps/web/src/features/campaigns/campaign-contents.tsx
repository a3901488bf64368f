import { textsOfValue } from '@app/domain/channel-kinds/content-type';
import { findVariables } from '@app/domain/messaging/template-variables';
import { useQuery } from '@tanstack/react-query';
import { orpc, type api } from '../../shared/api.ts';
import { contentViews } from '../../shared/channel-kinds/content-views.tsx';
import { t } from '../../shared/messages.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { useChannels } from '../sending/number-field.tsx';
import { toMessageChoice } from '../sending/message/message-draft.ts';
import type { Campaign } from './campaigns-queries.ts';

export type StoredContent = Awaited<ReturnType<typeof api.campaigns.listContents>>['items'][number];

/** Active contents of all kinds that a campaign can carry. */
export function useContents(search: string): readonly StoredContent[] {
  const { data } = useQuery(
    orpc.campaigns.listContents.queryOptions({
      input: search === '' ? {} : { search },
      placeholderData: whileReachable,
    }),
  );
  return data?.items ?? [];
}

/** The chosen one in any state; undefined while none is chosen or it is not known yet. */
export function useContent(contentId: string | null) {
  const { data, isSuccess } = useQuery(
    orpc.campaigns.listContents.queryOptions({
      input: { contentId: contentId ?? '' },
      enabled: contentId !== null,
    }),
  );
  const content = contentId === null ? undefined : data?.items[0];
  return { content, isGone: contentId !== null && isSuccess && !content };
}

export function variablesOfContent(content: StoredContent | undefined): string[] {
  return [...new Set(textsOfValue(content?.content?.value).flatMap(findVariables))];
}

/** As it is written: placeholders stay visible. */
export function ContentBubble({ content }: { content: StoredContent | undefined }) {
  const View = content?.content && contentViews[`${content.kind}/${content.content.contentType}`];
  return (
    <div role="group" aria-label={t('sending.message.preview')} className="rounded-card bg-chat p-3">
      {View && content.content ? <View value={content.content.value} /> : (content?.line ?? '')}
    </div>
  );
}

/** What a stored campaign sends, in the words of the API; null when it was deleted. */
export function messageOfCampaign(
  campaign: Pick<Campaign, 'templateId' | 'customMessage' | 'contentId' | 'inContactLanguage'>,
) {
  const { templateId, customMessage, contentId, inContactLanguage } = campaign;
  if (contentId !== null) return { contentId };
  const text = customMessage ?? '';
  return toMessageChoice({ templateId, customMessage: text, variables: {}, inContactLanguage });
}

/** The number or agent that it leaves through: of the kind of a content, the chosen one where that is of it. */
export function useChannelFor(content: StoredContent | undefined, chosen: string | null): string | null {
  const channels = useChannels();
  if (!content) return chosen;
  const ofKind = channels.filter(({ kind, connection }) => kind === content.kind && connection !== 'none');
  return ofKind.some(({ id }) => id === chosen) ? chosen : (ofKind[0]?.id ?? chosen);
}
