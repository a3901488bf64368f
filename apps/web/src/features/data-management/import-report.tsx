import { adoptionOutcomes, importSections } from '@app/domain/data-management/data-import';
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { problemText } from '../../shared/operations/operation-messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { t } from '../../shared/messages.ts';
import { Banner } from '../../ui/states.tsx';
import { CountTable } from './count-table.tsx';
import type { DataImport } from './upload-data.ts';

type Report = NonNullable<DataImport['report']>;

const ROWS_SHOWN = 20;

/** What the file holds and what it would change, by kind; and each thing that stays out, with why. */
export function ImportReport({ found, report }: { found: DataImport; report: Report }) {
  // On a telephone there is room for what has something to say.
  const outcomes = adoptionOutcomes.filter(
    (outcome) => outcome === 'added' || importSections.some((section) => report[section][outcome] > 0),
  );
  return (
    <>
      <CountTable
        label={t('dataManagement.import.preview')}
        columns={outcomes.map((outcome) => t(`dataManagement.import.outcome.${outcome}`))}
        rows={importSections.map((section) => ({
          name: t(`dataManagement.import.section.${section}`),
          counts: outcomes.map((outcome) => report[section][outcome]),
        }))}
      />
      <ImportDetails found={found} report={report} />
    </>
  );
}

/** Who gets no marketing by it, and what stays out. */
export function ImportDetails({ found, report }: { found: DataImport; report: Report }) {
  return (
    <>
      {report.optOuts > 0 ? (
        <Banner>{t('dataManagement.import.optOuts', { n: report.optOuts })}</Banner>
      ) : null}
      {report.contacts.refused > 0 ? (
        <RefusedContacts importId={found.id} count={report.contacts.refused} />
      ) : null}
      {report.items.length > 0 ? (
        <List title={t('dataManagement.import.details')}>
          {report.items.map((item) => (
            <li key={`${item.section} ${item.row} ${item.name}`} className="px-3 py-1.5">
              {t('dataManagement.import.item', {
                section: t(`dataManagement.import.section.${item.section}`),
                name: item.section === 'settings' ? settingName(item.name) : item.name || `#${item.row}`,
                outcome: t(`dataManagement.import.outcome.${item.outcome}`),
              })}
              {item.problem ? (
                <span className="block text-sm text-muted">{problemWords(item.problem)}</span>
              ) : null}
            </li>
          ))}
        </List>
      ) : null}
    </>
  );
}

function RefusedContacts({ importId, count }: { importId: string; count: number }) {
  const { data } = useQuery(
    orpc.contactImports.listErrors.queryOptions({
      input: { importId, limit: ROWS_SHOWN },
    }),
  );
  const rows = data?.items ?? [];
  if (rows.length === 0) return null;
  return (
    <List title={t('dataManagement.import.refusedContacts')}>
      {rows.map(({ row, code, values }) => (
        <li key={row} className="px-3 py-1.5">
          {t('dataManagement.import.row', {
            row,
            reason: problemText('row', { code, values }),
          })}
        </li>
      ))}
      {count > rows.length ? (
        <li className="px-3 py-1.5 text-muted">
          {t('dataManagement.import.moreRefused', { n: count - rows.length })}
        </li>
      ) : null}
    </List>
  );
}

function List({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 font-medium">{title}</h3>
      <ul className="divide-y divide-border rounded-card border border-border wrap-anywhere">{children}</ul>
    </section>
  );
}

/** As the file names it where we have no word for it. */
function settingName(name: string): string {
  const key = `dataManagement.setting.${name}`;
  const text = t(key as MessageKey); // one of them, or one of a newer server
  return text === key ? name : text;
}

function problemWords(problem: string): string {
  const key = `dataManagement.import.problem.${problem}`;
  const text = t(key as MessageKey); // the same
  return text === key ? t('dataManagement.import.problem.invalid') : text;
}
