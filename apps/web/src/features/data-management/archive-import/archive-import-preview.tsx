import { archiveCounts } from '@app/domain/data-management/archive-import';
import { operationKinds } from '@app/domain/operations/operation-kinds';
import { useQuery } from '@tanstack/react-query';
import { formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { BusinessNameField } from '../business-name-field.tsx';
import { CountTable } from '../count-table.tsx';
import { dataOptions, type ArchiveImport } from '../data-queries.ts';

export type ArchiveReport = NonNullable<ArchiveImport['report']>;

interface ArchiveImportPreviewProps {
  reading: ArchiveImport;
  report: ArchiveReport;
  about: string;
  typed: string;
  reason: string | undefined;
  isStarting: boolean;
  onType: (typed: string) => void;
  onReplace: () => void;
  onClose: () => void;
}

/** What would come and what would go, and the name of the business that is typed before it does. */
export function ArchiveImportPreview(props: ArchiveImportPreviewProps) {
  const { reading, report, about, typed, reason, isStarting } = props;
  const { data } = useQuery(dataOptions());
  const mayReplace = operationKinds['archive-replacement'].access.every(can);
  const isRight = mayReplace && data !== undefined && typed.trim() === data.name;
  const replace = () => {
    if (isRight && !isStarting) props.onReplace();
  };
  return (
    <FormDialog
      title={t('dataManagement.reading.preview')}
      description={about}
      size="large"
      submitLabel={t('dataManagement.reading.replace')}
      buttons={
        <Button variant="danger" disabled={!isRight} loading={isStarting} onClick={replace}>
          {t('dataManagement.reading.replace')}
        </Button>
      }
      onClose={props.onClose}
      onSubmit={replace}
    >
      {reason === undefined ? null : <Banner tone="danger">{reason}</Banner>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <p className="min-w-40 flex-1 wrap-anywhere">
          {t('dataManagement.reading.of', {
            name: report.name,
            time: reading.takenAt ? formatDateTime(reading.takenAt) : '',
          })}
        </p>
        <Badge tone={report.hasSecrets ? 'warning' : 'neutral'}>
          {t(report.hasSecrets ? 'dataManagement.archive.secrets' : 'dataManagement.reading.noSecrets')}
        </Badge>
      </div>
      <CountTable
        label={t('dataManagement.reading.preview')}
        columns={[t('dataManagement.reading.comes'), t('dataManagement.reading.goes')]}
        rows={archiveCounts.map((kind) => ({
          name: t(`dataManagement.reading.kind.${kind}`),
          counts: [report.holds[kind], report.replaces[kind]],
        }))}
      />
      <People people={report.people} />
      <ArchiveImportRules hasSecrets={report.hasSecrets} />
      {mayReplace ? (
        data && <BusinessNameField name={data.name} typed={typed} onType={props.onType} />
      ) : (
        <Banner tone="warning">{t('dataManagement.reading.mayNot')}</Banner>
      )}
    </FormDialog>
  );
}

/** What holds for every archive, and what follows where its numbers' secrets are not in it. */
export function ArchiveImportRules({ hasSecrets }: { hasSecrets: boolean }) {
  return (
    <ul className="list-disc ps-5 text-muted">
      <li>{t('dataManagement.reading.rule.paused')}</li>
      <li>{t(`dataManagement.reading.rule.numbers${hasSecrets ? '' : 'Anew'}`)}</li>
      <li>{t('dataManagement.reading.rule.stays')}</li>
    </ul>
  );
}

/** Who of the archive is here, and whose own things stay behind. */
export function People({ people }: { people: ArchiveReport['people'] }) {
  const groups = [
    { key: 'here', of: people.filter(({ isHere }) => isHere) },
    { key: 'away', of: people.filter(({ isHere }) => !isHere) },
  ] as const;
  return groups.map(({ key, of }) =>
    of.length === 0 ? null : (
      <section key={key} aria-label={t(`dataManagement.reading.people.${key}`, { n: of.length })}>
        <h3 className="font-medium">{t(`dataManagement.reading.people.${key}`, { n: of.length })}</h3>
        <p className="mb-1.5 text-sm text-muted">{t(`dataManagement.reading.people.${key}Hint`)}</p>
        <ul
          tabIndex={0}
          className="max-h-40 divide-y divide-border overflow-y-auto rounded-card border border-border wrap-anywhere"
        >
          {of.map(({ name, email }) => (
            <li key={email} className="flex flex-wrap gap-x-3 px-3 py-1.5">
              {name} <span className="text-muted">{email}</span>
            </li>
          ))}
        </ul>
      </section>
    ),
  );
}
