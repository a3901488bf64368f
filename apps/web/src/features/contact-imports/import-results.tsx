import { importLimits } from '@app/domain/contact-imports/contact-import';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { orpc } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { problemText } from '../../shared/long-acts/act-words.ts';
import { t } from '../../shared/messages.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';
import type { ContactImport } from './running-import.ts';

/** Successful, Failed and Total, and why each failed row failed. */
export function ImportResults({ result }: { result: ContactImport }) {
  return (
    <div className="grid gap-4">
      {result.isDryRun ? <Banner>{t('contacts.importCheckText')}</Banner> : null}
      {result.state === 'undone' ? <Banner>{t('contacts.importIsUndoneText')}</Banner> : null}
      <SummaryCards>
        <SummaryCard label={t('contacts.importSuccessful')} value={formatNumber(result.successful)} />
        <SummaryCard label={t('contacts.importFailed')} value={formatNumber(result.failed)} />
        <SummaryCard label={t('contacts.importTotal')} value={formatNumber(result.total)} />
      </SummaryCards>
      {result.updated > 0 ? (
        <p className="text-muted">{t('contacts.importUpdated', { n: result.updated })}</p>
      ) : null}
      {result.optedOut > 0 ? (
        <p className="text-muted">{t('contacts.importOptedOut', { n: result.optedOut })}</p>
      ) : null}
      {result.optOuts > 0 ? (
        <p className="text-muted">{t('contacts.importOptOuts', { n: result.optOuts })}</p>
      ) : null}
      {result.optIns > 0 ? (
        <p className="text-muted">{t('contacts.importOptIns', { n: result.optIns })}</p>
      ) : null}
      {result.encoding === 'windows-1252' ? <Banner>{t('longActs.readAsWestern')}</Banner> : null}
      {result.failed > 0 ? <RowErrors result={result} /> : null}
    </div>
  );
}

function RowErrors({ result: { id: importId, failed, hasFailedRows } }: { result: ContactImport }) {
  const errors = useInfiniteQuery(
    orpc.contactImports.listErrors.infiniteOptions({
      input: (cursor: string | undefined) => ({ importId, limit: 100, ...(cursor && { cursor }) }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const rows = errors.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <section aria-label={t('contacts.importErrors')}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{t('contacts.importErrors')}</h3>
        {hasFailedRows ? (
          <LinkButton
            size="small"
            icon={<Download aria-hidden />}
            href={`/api/contacts/imports/${importId}/failed-rows`}
            download
          >
            {t('contacts.importFailedRows')}
          </LinkButton>
        ) : null}
      </div>
      <ul className="divide-y divide-border rounded-card border border-border">
        {rows.map(({ row, code, values }) => (
          <li key={row} className="px-3 py-2 text-sm wrap-anywhere">
            {t('contacts.importRow', { row, reason: problemText('row', { code, values }) })}
          </li>
        ))}
      </ul>
      {failed > importLimits.errorsKept ? (
        <p className="mt-2 text-sm text-muted">
          {t('contacts.importErrorsCut', { kept: importLimits.errorsKept, n: failed })}
        </p>
      ) : null}
      {errors.hasNextPage ? (
        <Button
          size="small"
          className="mt-2"
          loading={errors.isFetchingNextPage}
          onClick={() => void errors.fetchNextPage()}
        >
          {t('contacts.importMoreErrors')}
        </Button>
      ) : null}
    </section>
  );
}
