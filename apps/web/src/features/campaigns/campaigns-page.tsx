import { Megaphone, Plus } from 'lucide-react';
import { formatNumber } from '../../shared/formats.ts';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { CampaignCards, useCampaignList, type CampaignList } from './cards/campaign-cards.tsx';
import { CampaignsSummary } from './campaign-stats.tsx';
import { campaignFilters, useCampaignSummary } from './campaigns-queries.ts';

export function CampaignsPage() {
  const campaigns = useCampaignList();
  const summary = useCampaignSummary();
  const createButton = can('campaigns:create') ? (
    <Button
      variant="primary"
      icon={<Plus aria-hidden />}
      onClick={() => campaigns.setUrl({ form: 'new' }, { push: true })}
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
      <CampaignCards
        list={campaigns}
        label={t('campaigns.title')}
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
      />
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
