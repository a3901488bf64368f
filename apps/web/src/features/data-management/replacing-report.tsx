import { replacedCounts } from '@app/domain/data-management/data-import';
import { t } from '../../shared/messages.ts';
import { BusinessNameField } from './business-name-field.tsx';
import { CountTable } from './count-table.tsx';
import { ReplaceRules } from './import-choices.tsx';
import { ImportDetails } from './import-report.tsx';
import type { DataImport } from './upload-data.ts';

type Report = NonNullable<DataImport['report']>;

interface ReplacingReportProps {
  found: DataImport;
  report: Report;
  goes: NonNullable<Report['goes']>;
  name: string;
  typed: string;
  onType: (typed: string) => void;
}

/** What comes with the file and what goes for it, and the name that is typed before it does. */
export function ReplacingReport({ found, report, goes, name, typed, onType }: ReplacingReportProps) {
  return (
    <>
      <CountTable
        label={t('dataManagement.import.preview')}
        columns={[t('dataManagement.reading.comes'), t('dataManagement.reading.goes')]}
        rows={replacedCounts.map((kind) => ({
          name: t(`dataManagement.reading.kind.${kind}`),
          // A file of data has none of the others.
          counts: [kind in report ? report[kind as 'contacts'].added : 0, goes[kind]],
        }))}
      />
      <ImportDetails found={found} report={report} />
      <ReplaceRules />
      <BusinessNameField {...{ name, typed, onType }} />
    </>
  );
}
