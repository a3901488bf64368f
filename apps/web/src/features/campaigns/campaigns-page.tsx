import { Megaphone, Plus } from 'lucide-react';
import { Suspense } from 'react';
import { formatNumber } from '../../shared/formats.ts';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { namesOf } from '../../shared/lists/list-filters.ts';
import { useListPage } from '../../shared/lists/use-list-page.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { CardList } from '../../ui/table/card-list.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { CampaignCard } from './campaign-card.tsx';
import { CampaignsSummary } from './campaign-stats.tsx';
import {
  campaignFilters,
  campaignsOptions,
  findKeptCampaigns,
  readCampaignsSearch,
  useCampaignSummary,
  useLiveCounts,
} from './campaigns-queries.ts';
import { useCampaignActions } from './use-campaign-actions.ts';

const CampaignFormDialog = lazyDialog(
  async () => (await import('./campaign-form-dialog.tsx')).CampaignFormDialog,
);

type CampaignList = ReturnType<typeof useCampaignList>;

const useCampaignList = () =>
  useListPage({
    read: readCampaignsSearch,
    filters: namesOf(campaignFilters),
    options: campaignsOptions,
    find: findKeptCampaigns,
  });

export function CampaignsPage() {
  useLiveCounts();
  const campaigns = useCampaignList();
  const { url, setUrl } = campaigns;
  const summary = useCampaignSummary();
  const acts = useCampaignActions();
  const createButton = can('campaigns:create') ? (
    <Button
      variant="primary"
      icon={<Plus aria-hidden />}
      onClick={() => setUrl({ form: 'new' }, { push: true })}
    >
      {t('campaigns.create')}
    </Button>
  ) : undefined;

  return (
    <PageFrame
      title={t('campaigns.title')}
      purpose={t('campaigns.purpose')}
      actions={createButton}
      summary={<CampaignsSummary summary={summary} />}
      toolbar={<CampaignsToolbar campaigns={campaigns} total={summary.data?.total} />}
    >
      <OfflineSearchNote searched={campaigns.searched} />
      <CardList
        {...campaigns.shown}
        label={t('campaigns.title')}
        moreLabel={t('campaigns.more')}
        onRetry={() => {
          campaigns.shown.onRetry();
          void summary.refetch();
        }}
        empty={
          <NoRows
            list={campaigns}
            title={t('campaigns.none')}
            noMatch={t('campaigns.noneMatching')}
            clearLabel={t('campaigns.clearFilters')}
            text={t('campaigns.noneYet')}
            icon={<Megaphone />}
            action={createButton}
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
            templateId={url.template || null}
            onClose={() => setUrl({ form: undefined, id: undefined, template: undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}

function CampaignsToolbar({ campaigns, total }: { campaigns: CampaignList; total: number | undefined }) {
  const { searchField, choice, activeFilters, searched, shown, firstPage } = campaigns;
  const matching = searched === undefined ? firstPage?.matching : shown.rows.length;
  return (
    <Toolbar
      search={<SearchInput {...searchField} placeholder={t('campaigns.search')} />}
      active={activeFilters}
      end={
        matching === undefined || total === undefined ? null : (
          <p role="status" className="text-sm text-muted tabular-nums">
            {t('campaigns.showing', { shown: formatNumber(matching), total: formatNumber(total) })}
          </p>
        )
      }
    >
      <FilterSelects filters={campaignFilters} choice={choice} />
    </Toolbar>
  );
}
