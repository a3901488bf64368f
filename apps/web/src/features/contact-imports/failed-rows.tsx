import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { importLimits } from '@app/domain/contact-imports/contact-import';
import type { PhoneCountry } from '@app/domain/contacts/phone-country';
import { orpc, type api } from '../../shared/api.ts';
import { formatCountry } from '../../shared/formats.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { problemText } from '../../shared/operations/operation-messages.ts';
import { downloadFailedRows } from '../../shared/operations/failed-rows-file.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import type { ContactImport } from './running-import.ts';

type Reason = Awaited<ReturnType<typeof api.contactImports.listReasons>>['items'][number];

/** So many rows of a reason are shown before somebody asks for more. */
const SHOWN = 5;
const MORE = 100;

/** Why rows were not imported: each reason once with its rows, the most frequent first, and all of them as a file to mend. */
export function FailedRows({
  result,
  country,
  onUpdate,
}: {
  result: ContactImport;
  /** Of which country numbers without a code were taken to be; undefined where that is not known any more. */
  country: PhoneCountry | undefined;
  /** Imports the rows whose contacts are here already as an update; undefined where they were one. */
  onUpdate: (() => void) | undefined;
}) {
  const { id: importId, failed, hasFailedRows, isDryRun } = result;
  const download = useAction({ mutationFn: downloadFailedRows });
  const reasons = useQuery(orpc.contactImports.listReasons.queryOptions({ input: { importId } })).data?.items;
  return (
    <section aria-label={t('contacts.importErrors')}>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          {t(isDryRun ? 'contacts.importErrorsAhead' : 'contacts.importErrors')}
        </h3>
        {hasFailedRows ? (
          <Button
            size="small"
            icon={<Download aria-hidden />}
            loading={download.isPending}
            onClick={() => void download.mutateAsync(importId)}
          >
            {t('contacts.importFailedRows')}
          </Button>
        ) : null}
      </div>
      {hasFailedRows ? <p className="mb-2 text-sm text-muted">{t('contacts.importFailedRowsHint')}</p> : null}
      <ul className="grid gap-3">
        {byCode(reasons ?? []).map(({ code, titles, rows }) => (
          <li key={code} className="rounded-card border border-border">
            <p className="flex flex-wrap items-baseline justify-between gap-x-3 px-3 pt-2">
              <span className="font-medium wrap-anywhere">{titles.join(' · ')}</span>
              <span className="text-sm text-muted tabular-nums">{t('contacts.importRows', { n: rows })}</span>
            </p>
            {code === 'no_country' && country ? (
              <p className="px-3 pt-1 text-sm">
                {t('contacts.importReadAsCountry', { country: formatCountry(country) })}
              </p>
            ) : null}
            <RowsOfReason importId={importId} code={code} />
            {code === 'taken' && onUpdate ? (
              <Button size="small" className="mx-3 mb-3" icon={<RefreshCw aria-hidden />} onClick={onUpdate}>
                {t('contacts.importUpdateInstead')}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {failed > importLimits.errorsKept ? (
        <p className="mt-2 text-sm text-muted">
          {t('contacts.importErrorsCut', { kept: importLimits.errorsKept, n: failed })}
        </p>
      ) : null}
    </section>
  );
}

type Group = { code: string; titles: string[]; rows: number };

/** Rows are listed by their code; what differs within it, such as the field, stands in the title. */
function byCode(reasons: readonly Reason[]): Group[] {
  const groups = new Map<string, Group>();
  for (const reason of reasons) {
    const group = groups.get(reason.code) ?? { code: reason.code, titles: [], rows: 0 };
    const titles = [...new Set([...group.titles, titleOf(reason)])];
    groups.set(reason.code, { ...group, titles, rows: group.rows + reason.rows });
  }
  return [...groups.values()].toSorted((one, other) => other.rows - one.rows);
}

/** Without the number, which each row has for itself. */
function titleOf({ code, values }: Reason): string {
  if (code === 'taken' || code === 'no_country' || code === 'rounded_phone' || code === 'not_of_country')
    return t(`contacts.importReason.${code}`);
  return problemText('row', { code, values });
}

function RowsOfReason({ importId, code }: { importId: string; code: string }) {
  const errors = useInfiniteQuery(
    orpc.contactImports.listErrors.infiniteOptions({
      input: (cursor: string | undefined) => ({
        ...{ importId, code, limit: cursor === undefined ? SHOWN : MORE },
        ...(cursor && { cursor }),
      }),
      initialPageParam: undefined,
      getNextPageParam: (last) => last.nextCursor ?? undefined,
    }),
  );
  const rows = errors.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <ul className="grid gap-0.5 px-3 pt-1 pb-2 text-sm text-muted">
        {rows.map(({ row, code: own, values }) => (
          <li key={row} className="wrap-anywhere">
            {t('operations.importRow', { row, reason: problemText('row', { code: own, values }) })}
          </li>
        ))}
      </ul>
      {errors.hasNextPage ? (
        <Button
          size="small"
          variant="ghost"
          className="mx-1.5 mb-1.5"
          loading={errors.isFetchingNextPage}
          onClick={() => void errors.fetchNextPage()}
        >
          {t('contacts.importMoreErrors')}
        </Button>
      ) : null}
    </>
  );
}
