import { Megaphone, Plus } from 'lucide-react';
import { Suspense } from 'react';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { readText } from '../../shared/url-state.ts';
import { Button } from '../../ui/button.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { CampaignCard } from '../campaigns/campaign-card.tsx';
import { CampaignsSummary } from '../campaigns/campaign-stats.tsx';
import {
  campaignFilters,
  campaignsOptions,
  findKeptCampaigns,
  readCampaignsSearch,
  useCampaignSummary,
  useLiveCounts,
} from '../campaigns/campaigns-queries.ts';
import { useCampaignActions } from '../campaigns/use-campaign-actions.ts';

const CampaignFormDialog = lazyDialog(
  async () => (await import('../campaigns/campaign-form-dialog.tsx')).CampaignFormDialog,
);

/** Of campaigns through an agent. */
const KIND = 'rcs';
const readSearch = (search: Record<string, unknown>) => ({
  ...readCampaignsSearch(search),
  /** The message that a new one begins with. */
  content: readText(search, 'content'),
});

const optionsOfKind = (filter: Parameters<typeof campaignsOptions>[0]) => campaignsOptions(filter, KIND);

/** Campaigns that leave through an RCS agent; the product's own campaigns, with their form, actions and pages. */
export function CampaignsTab() {
  useLiveCounts();
  const list = useListPage({
    ...{ read: readSearch, filters: namesOf(campaignFilters), find: findKeptCampaigns },
    options: optionsOfKind,
  });
  const { url, setUrl } = list;
  const summary = useCampaignSummary(KIND);
  const acts = useCampaignActions();
  const createButton = can('campaigns:create') ? (
    <Button icon={<Plus aria-hidden />} onClick={() => setUrl({ form: 'new' }, { push: true })}>
      {t('rcs.campaigns.create')}
    </Button>
  ) : undefined;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <CampaignsSummary summary={summary} />
      <Toolbar
        search={<SearchInput {...list.searchField} placeholder={t('campaigns.search')} />}
        active={list.activeFilters}
        end={createButton}
      >
        <FilterSelects filters={campaignFilters} choice={list.choice} />
      </Toolbar>
      <OfflineSearchNote searched={list.searched} />
      <CardList
        {...list.shown}
        label={t('rcs.tab.campaigns')}
        moreLabel={t('campaigns.more')}
        empty={
          <NoRows
            list={list}
            title={t('rcs.campaigns.none')}
            noMatch={t('rcs.campaigns.none')}
            clearLabel={t('campaigns.clearFilters')}
            text={t('rcs.campaigns.noneText')}
            icon={<Megaphone />}
          />
        }
      >
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
            contentId={url.content || null}
            onClose={() => setUrl({ form: undefined, id: undefined, content: undefined })}
          />
        </Suspense>
      )}
    </div>
  );
}
