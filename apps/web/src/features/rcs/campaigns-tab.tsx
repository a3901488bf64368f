import { Megaphone, Plus } from 'lucide-react';
import { FilterSelects } from '../../shared/lists/filter-selects.tsx';
import { NoRows } from '../../shared/lists/no-rows.tsx';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { CampaignCards, useCampaignList } from '../campaigns/cards/campaign-cards.tsx';
import { CampaignsSummary } from '../campaigns/campaign-stats.tsx';
import { campaignFilters, useCampaignSummary } from '../campaigns/campaigns-queries.ts';

/** Of campaigns through an agent. */
const KIND = 'rcs';

/** Campaigns that leave through an RCS agent; the product's own campaigns, with their form, actions and pages. */
export function CampaignsTab() {
  const list = useCampaignList(KIND);
  const summary = useCampaignSummary(KIND);
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <CampaignsSummary summary={summary} />
      <Toolbar
        search={<SearchInput {...list.searchField} placeholder={t('campaigns.search')} />}
        active={list.activeFilters}
        end={
          can('campaigns:create') ? (
            <Button icon={<Plus aria-hidden />} onClick={() => list.setUrl({ form: 'new' }, { push: true })}>
              {t('rcs.campaigns.create')}
            </Button>
          ) : undefined
        }
      >
        <FilterSelects filters={campaignFilters} choice={list.choice} />
      </Toolbar>
      <CampaignCards
        list={list}
        channelKind={KIND}
        label={t('rcs.tab.campaigns')}
        empty={
          <NoRows
            list={list}
            title={t('rcs.campaigns.none')}
            noMatch={t('campaigns.noneMatching')}
            clearLabel={t('campaigns.clearFilters')}
            text={t('rcs.campaigns.noneText')}
            icon={<Megaphone />}
          />
        }
      />
    </div>
  );
}
