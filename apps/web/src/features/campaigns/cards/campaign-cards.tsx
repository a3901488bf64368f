import { Suspense, type ReactNode } from 'react';
import { namesOf } from '../../../shared/lists/list-filters.ts';
import { useListPage } from '../../../shared/lists/use-list-page.ts';
import { t } from '../../../shared/messages.ts';
import { OfflineSearchNote } from '../../../shared/offline/offline-search-note.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { CardList } from '../../../ui/table/card-list.tsx';
import { CampaignCard } from './campaign-card.tsx';
import {
  campaignFilters,
  campaignsOptions,
  findKeptCampaigns,
  readCampaignsSearch,
  useLiveCounts,
} from '../campaigns-queries.ts';
import { useCampaignActions } from '../use-campaign-actions.ts';

const CampaignFormDialog = lazyDialog(
  async () => (await import('../campaign-form-dialog.tsx')).CampaignFormDialog,
);

export type CampaignList = ReturnType<typeof useCampaignList>;

/** The campaigns of all channels, or of those of one kind, with what the address narrows them to. */
export function useCampaignList(channelKind?: string) {
  useLiveCounts();
  return useListPage({
    ...{ read: readCampaignsSearch, filters: namesOf(campaignFilters), find: findKeptCampaigns },
    options: (filter: Parameters<typeof campaignsOptions>[0]) => campaignsOptions(filter, channelKind),
  });
}

/** The campaigns as cards, and the form that the address opens. */
export function CampaignCards({
  list,
  label,
  empty,
  channelKind,
  onRetry = list.shown.onRetry,
}: {
  list: CampaignList;
  /** Of a new campaign: what it sends is one of the stored contents of this kind. */
  channelKind?: string;
  label: string;
  empty: ReactNode;
  onRetry?: () => void;
}) {
  const { url, setUrl } = list;
  const acts = useCampaignActions();
  return (
    <>
      <OfflineSearchNote searched={list.searched} />
      <CardList {...list.shown} label={label} moreLabel={t('campaigns.more')} onRetry={onRetry} empty={empty}>
        {(campaign) => (
          <CampaignCard
            key={campaign.id}
            campaign={campaign}
            acts={acts}
            onEdit={() => setUrl({ form: 'edit', id: campaign.id }, { push: true })}
            onDuplicate={() => setUrl({ form: 'copy', id: campaign.id }, { push: true })}
          />
        )}
      </CardList>
      {url.form === '' ? null : (
        <Suspense>
          <CampaignFormDialog
            mode={url.form}
            campaignId={url.form === 'new' ? null : url.id}
            templateId={url.template || null}
            contentId={url.content || null}
            channelKind={channelKind}
            onClose={() =>
              setUrl({ form: undefined, id: undefined, template: undefined, content: undefined })
            }
          />
        </Suspense>
      )}
    </>
  );
}
