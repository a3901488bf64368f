import { CircleCheck, Megaphone, Percent, Plus, Send } from 'lucide-react';
import { Suspense } from 'react';
import { campaignStatuses, type CampaignStatus } from '@app/domain/campaigns/campaign-status';
import { failureText } from '../../shared/failure-text.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { OfflineSearchNote } from '../../shared/offline/offline-search-note.tsx';
import { can } from '../../shared/session.ts';
import { readOneOf, readText, useUrlState } from '../../shared/url-state.ts';
import { useDebounced } from '../../shared/use-debounced.ts';
import { Button } from '../../ui/button.tsx';
import { CardGrid, PageFrame } from '../../ui/page-frame.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import { Toolbar } from '../../ui/table/toolbar.tsx';
import { CampaignCard } from './campaign-card.tsx';
import { useCampaigns, useCampaignSummary, useLiveCampaigns } from './campaigns-queries.ts';
import { useCampaignActs } from './use-campaign-acts.ts';

const CampaignFormDialog = lazyPart(
  async () => (await import('./campaign-form-dialog.tsx')).CampaignFormDialog,
);

interface CampaignsSearch {
  search: string;
  status: CampaignStatus | '';
  /** Which form is open: `new`, or `edit` or `copy` of the campaign `id`. */
  form: '' | 'new' | 'edit' | 'copy';
  id: string;
}

function readCampaignsSearch(raw: Record<string, unknown>): CampaignsSearch {
  return {
    search: readText(raw, 'search'),
    status: readOneOf(raw, 'status', ['', ...campaignStatuses]),
    form: readOneOf(raw, 'form', ['', 'new', 'edit', 'copy']),
    id: readText(raw, 'id'),
  };
}

export function CampaignsPage() {
  useLiveCampaigns();
  const [url, setUrl] = useUrlState<CampaignsSearch>(readCampaignsSearch);
  const search = useDebounced(url.search.trim(), 120);
  const list = useCampaigns({ search, status: url.status });
  const { data: summary, isError: hasNoSummary, refetch: refetchSummary } = useCampaignSummary();
  const acts = useCampaignActs();
  const unknown = hasNoSummary ? '–' : undefined;
  const isFiltered = search !== '' || url.status !== '';

  function retry() {
    void list.query.refetch();
    void refetchSummary();
  }

  function clearFilters() {
    setUrl({ search: undefined, status: undefined });
  }

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
      summary={
        <SummaryCards label={t('campaigns.title')}>
          <SummaryCard
            label={t('campaigns.summary.total')}
            icon={<Megaphone />}
            value={summary ? formatNumber(summary.total) : unknown}
          />
          <SummaryCard
            label={t('campaigns.summary.active')}
            icon={<Send />}
            value={summary ? formatNumber(summary.running) : unknown}
          />
          <SummaryCard
            label={t('campaigns.summary.completed')}
            icon={<CircleCheck />}
            value={summary ? formatNumber(summary.completed) : unknown}
          />
          <SummaryCard
            label={t('campaigns.summary.successRate')}
            icon={<Percent />}
            value={summary ? `${summary.successRate}%` : unknown}
          />
        </SummaryCards>
      }
      toolbar={
        <Toolbar
          search={
            <SearchInput
              value={url.search}
              onChange={(text) => setUrl({ search: text || undefined })}
              placeholder={t('campaigns.search')}
            />
          }
          active={url.status === '' ? 0 : 1}
          end={
            list.matching === undefined || !summary ? null : (
              <p role="status" className="text-sm text-muted tabular-nums">
                {t('campaigns.showing', {
                  shown: formatNumber(list.matching),
                  total: formatNumber(summary.total),
                })}
              </p>
            )
          }
        >
          <FilterSelect
            label={t('campaigns.filter.status')}
            value={url.status}
            onChange={(status) => setUrl({ status })}
            options={[
              { value: '', label: t('campaigns.filter.all') },
              ...campaignStatuses.map((value) => ({ value, label: t(`campaigns.status.${value}`) })),
            ]}
          />
        </Toolbar>
      }
    >
      <OfflineSearchNote searched={list.searched} />
      {list.status === 'loading' ? (
        <CardGridSkeleton />
      ) : list.status === 'error' ? (
        <div className="rounded-card border border-border bg-raised">
          <ErrorState text={failureText(list.query.error)} onRetry={retry} />
        </div>
      ) : list.campaigns.length === 0 ? (
        <div className="rounded-card border border-border bg-raised">
          <EmptyState
            icon={<Megaphone />}
            title={t('campaigns.none')}
            text={isFiltered ? t('campaigns.noneMatching') : t('campaigns.noneYet')}
            action={
              isFiltered ? (
                <Button onClick={clearFilters}>{t('campaigns.clearFilters')}</Button>
              ) : (
                createButton
              )
            }
          />
        </div>
      ) : (
        <>
          <CardGrid label={t('campaigns.title')}>
            {list.campaigns.map((campaign) => (
              <CampaignCard
                key={campaign.id}
                campaign={campaign}
                acts={acts}
                onEdit={() => setUrl({ form: 'edit', id: campaign.id }, { push: true })}
                onDuplicate={() => setUrl({ form: 'copy', id: campaign.id }, { push: true })}
              />
            ))}
          </CardGrid>
          {list.query.hasNextPage ? (
            <div className="mt-5 flex justify-center">
              <Button loading={list.query.isFetchingNextPage} onClick={() => void list.query.fetchNextPage()}>
                {t('campaigns.more')}
              </Button>
            </div>
          ) : null}
        </>
      )}
      {url.form === '' ? null : (
        <Suspense>
          <CampaignFormDialog
            mode={url.form}
            campaignId={url.form === 'new' ? null : url.id}
            onClose={() => setUrl({ form: undefined, id: undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}
