import type { ResultsFormat } from '@app/domain/campaigns/results-format';
import { recipientOutcomes } from '@app/domain/campaigns/recipient-outcome';
import { formatPhone } from '@app/domain/contacts/format-phone';
import { Link } from '@tanstack/react-router';
import { Download, Users } from 'lucide-react';
import { useMemo } from 'react';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { downloadWhenReady } from '../../shared/operations/download-operation.ts';
import { readOn } from '../../shared/lists/use-list-page.ts';
import { findText, t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { notify } from '../../ui/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { outcomeText } from '../sending/delivery-words.ts';
import type { Recipient } from './campaigns-queries.ts';
import { RecipientActions } from './recipient-actions.tsx';
import type { CampaignReading } from './use-campaign-reading.ts';

const tones: Record<Recipient['outcome'], BadgeTone> = {
  pending: 'neutral',
  sending: 'info',
  waiting: 'warning',
  sent: 'info',
  delivered: 'primary',
  read: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  unknown: 'warning',
};

const columns: Column<Recipient>[] = [
  {
    id: 'name',
    get header() {
      return t('campaigns.recipients.contact');
    },
    cell: ({ contactId, name }) =>
      contactId === null ? (
        <span className="block truncate font-medium">{name}</span>
      ) : (
        <Link
          to={paths.contact(contactId)}
          dir="auto"
          title={name}
          className="block truncate rounded-sm font-medium hover:underline focus-visible:underline"
        >
          {name}
        </Link>
      ),
    width: 'minmax(9rem, 1.2fr)',
    card: 'title',
  },
  {
    id: 'phone',
    get header() {
      return t('campaigns.recipients.phone');
    },
    cell: ({ phone }) => phone && <span className="tabular-nums">{formatPhone(phone)}</span>,
    width: '10rem',
    hideBelow: 'md',
    card: 'subtitle',
  },
  {
    id: 'outcome',
    get header() {
      return t('campaigns.recipients.outcome');
    },
    cell: ({ outcome }) => <Badge tone={tones[outcome]}>{t(`campaigns.outcome.${outcome}`)}</Badge>,
    width: '10.5rem',
  },
  {
    id: 'explanation',
    get header() {
      return t('campaigns.recipients.explanation');
    },
    cell: ({ outcome, explanation, errorCode }) =>
      explanation === null ? (
        <span className="text-muted">–</span>
      ) : (
        <span className="block text-sm text-pretty">
          {outcomeText({ outcome, explanation, errorCode })}
          {errorCode !== null && /^\d+$/.test(errorCode) ? (
            <span className="text-muted"> {t('campaigns.recipients.code', { code: errorCode })}</span>
          ) : null}
        </span>
      ),
    width: 'minmax(14rem, 3fr)',
    hideBelow: 'lg',
  },
  {
    id: 'fallback',
    get header() {
      return t('campaigns.recipients.fallback');
    },
    cell: ({ fallback }) => (fallback === null ? null : <FallbackState fallback={fallback} />),
    width: 'minmax(11rem, 1.5fr)',
    hideBelow: 'lg',
  },
  {
    id: 'results',
    get header() {
      return t('campaigns.recipients.results');
    },
    cell: ({ clickedAt, convertedAt }) =>
      clickedAt === null && convertedAt === null ? null : (
        <span className="block text-sm text-pretty">
          {clickedAt === null ? null : (
            <span className="block">
              {t('campaigns.recipients.clicked', { time: formatDateTime(clickedAt) })}
            </span>
          )}
          {convertedAt === null ? null : (
            <span className="block">
              {t('campaigns.recipients.converted', { time: formatDateTime(convertedAt) })}
            </span>
          )}
        </span>
      ),
    width: 'minmax(10rem, 1.2fr)',
    hideBelow: 'lg',
  },
  {
    id: 'time',
    get header() {
      return t('campaigns.recipients.time');
    },
    cell: ({ at }) => (at === null ? null : <span className="text-muted">{formatDateTime(at)}</span>),
    width: '12.5rem',
    hideBelow: 'md',
    align: 'end',
  },
];

/** What became of the second message, or why there is none. */
function FallbackState({ fallback: { state, code } }: { fallback: NonNullable<Recipient['fallback']> }) {
  const why = code === null ? undefined : (findText(`campaigns.fallback.why.${code}`) ?? code);
  return (
    <span className="block text-sm text-pretty">
      {t(`campaigns.fallback.state.${state}`)}
      {why === undefined ? null : <span className="block text-muted">{why}</span>}
    </span>
  );
}

/** Each recipient with outcome and reason, of the same moment as the figures above. */
export function RecipientsTable({
  campaignId,
  isStarted,
  hasFallback,
  reading: { list: query, outcome, setOutcome, shown },
}: {
  campaignId: string;
  isStarted: boolean;
  hasFallback: boolean;
  reading: CampaignReading;
}) {
  const exporting = useAction(orpc.campaigns.exportResults.mutationOptions());
  const exportAs = (format: ResultsFormat) =>
    void exporting
      .mutateAsync({ campaignId, format, ...(outcome === '' ? {} : { outcome }) })
      .then(downloadWhenReady, tellFailure);
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);

  const hasResults = rows.some(({ clickedAt, convertedAt }) => clickedAt !== null || convertedAt !== null);
  const shownColumns = useMemo(
    () => columns.filter(({ id }) => (id !== 'fallback' || hasFallback) && (id !== 'results' || hasResults)),
    [hasFallback, hasResults],
  );

  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{t('campaigns.page.recipients')}</h2>
        {isStarted ? (
          <div className="flex flex-wrap items-center gap-2">
            {can('contacts:export') ? (
              <Menu
                trigger={
                  <Button icon={<Download aria-hidden />} loading={exporting.isPending}>
                    {t('campaigns.page.export')}
                  </Button>
                }
                entries={[
                  { label: t('campaigns.page.exportCsv'), onSelect: () => exportAs('csv') },
                  { label: t('campaigns.page.exportXlsx'), onSelect: () => exportAs('xlsx') },
                ]}
              />
            ) : null}
            <RecipientActions
              campaignId={campaignId}
              outcome={outcome === '' ? undefined : outcome}
              trigger={<Button icon={<Users aria-hidden />}>{t('campaigns.people.acts')}</Button>}
            />
            <FilterSelect
              label={t('campaigns.recipients.filter')}
              value={outcome}
              onChange={setOutcome}
              options={[
                { value: '', label: t('campaigns.outcome.all') },
                ...recipientOutcomes.map((value) => ({ value, label: partText(value) })),
              ]}
            />
          </div>
        ) : null}
      </div>
      <DataTable
        label={t('campaigns.page.recipients')}
        columns={shownColumns}
        rows={rows}
        rowId={({ seq }) => String(seq)}
        rowName={({ name }) => name}
        total={outcome === '' ? shown.counts.total : undefined}
        status={
          !isStarted
            ? 'ready'
            : query.status === 'pending'
              ? 'loading'
              : query.status === 'error'
                ? 'error'
                : 'ready'
        }
        errorText={query.isError ? errorMessage(query.error) : undefined}
        onRetry={() => void query.refetch()}
        onEndReached={query.hasNextPage ? () => readOn(query) : undefined}
        loadingMore={query.isFetchingNextPage}
        empty={
          isStarted ? (
            <EmptyState
              icon={<Users />}
              title={t('campaigns.recipients.none')}
              action={
                outcome === '' ? undefined : (
                  <Button onClick={() => setOutcome('')}>{t('campaigns.recipients.showAll')}</Button>
                )
              }
            />
          ) : (
            <EmptyState icon={<Users />} title={t('campaigns.page.noRecipientsYet')} />
          )
        }
      />
    </section>
  );
}

/** As the part of the progress bar is named that holds the same people. */
function partText(outcome: Recipient['outcome']): string {
  return t(
    outcome === 'sent' || outcome === 'delivered'
      ? `campaigns.part.${outcome}`
      : `campaigns.outcome.${outcome}`,
  );
}

function tellFailure(error: unknown): void {
  notify.error(errorMessage(error));
}
