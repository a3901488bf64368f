import type { ImportPreference } from '@app/domain/data-management/data-import';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes } from '../../shared/formats.ts';
import { OperationProgress } from '../../shared/operations/operation-progress.tsx';
import { useOperation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { dataOptions } from './data-queries.ts';
import { ImportChoices, type ImportMode } from './import-choices.tsx';
import { ImportReport } from './import-report.tsx';
import { ReplacingReport } from './replacing-report.tsx';
import { newImportId, uploadData, type DataImport } from './upload-data.ts';

/** First what the file would change, then the import itself. */
export function ImportDataDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const [mode, setMode] = useState<ImportMode>('merge');
  const [prefers, setPrefers] = useState<ImportPreference>('file');
  const [typed, setTyped] = useState('');
  const [running, setRunning] = useState<string>();
  const [tried, setTried] = useState<DataImport>();
  const [reason, setReason] = useState<string>();
  const { data } = useQuery(dataOptions());
  const operation = useOperation(running);
  const replaces = mode === 'replace';

  const upload = async (isDryRun: boolean) => {
    const id = newImportId();
    setRunning(id);
    setReason(undefined);
    const way = replaces ? { name: typed.trim() } : { prefers };
    const uploaded = await uploadData({ id, file, way, isDryRun });
    if ('found' in uploaded && !isDryRun) {
      notify.success(t('dataManagement.import.done'));
      await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
      return onClose();
    }
    setRunning(undefined);
    if ('found' in uploaded) return setTried(uploaded.found);
    setTried(undefined);
    setReason(uploaded.reason);
    notify.error(t('dataManagement.import.failed'), { text: uploaded.reason });
  };
  const back = () => {
    setTried(undefined);
    setTyped('');
  };
  const changes = tried?.report ? countChanges(tried.report) : 0;
  const isNamed = data !== undefined && typed.trim() === data.name;
  const isReady = !tried || (replaces ? isNamed : changes > 0);
  const submit = () => {
    if (isReady && running === undefined) void upload(!tried);
  };
  return (
    <FormDialog
      title={t(tried ? 'dataManagement.import.preview' : 'dataManagement.import.title')}
      description={`${file.name} · ${formatBytes(file.size)}`}
      size="large"
      submitLabel={t(tried ? 'dataManagement.import.act' : 'dataManagement.import.check')}
      isSaving={running !== undefined}
      isReady={isReady}
      whyNot={
        replaces
          ? t('dataManagement.clear.typeName', { name: data?.name ?? '' })
          : t('dataManagement.import.nothing')
      }
      note={
        tried && running === undefined ? (
          <Button className="mr-auto" onClick={back}>
            {t('dataManagement.import.back')}
          </Button>
        ) : null
      }
      // From here on it needs this page only until the file is there.
      {...(tried &&
        replaces && {
          buttons: (
            <Button variant="danger" disabled={!isReady} loading={running !== undefined} onClick={submit}>
              {t('dataManagement.reading.replace')}
            </Button>
          ),
        })}
      onClose={onClose}
      onSubmit={submit}
    >
      {running !== undefined ? (
        <div className="grid gap-3 py-2">
          {operation ? (
            <OperationProgress operation={operation} />
          ) : (
            <p role="status">{t('dataManagement.import.reading')}</p>
          )}
          <p className="text-muted">{t('dataManagement.import.goesOn')}</p>
        </div>
      ) : tried?.report?.goes ? (
        <ReplacingReport
          found={tried}
          report={tried.report}
          goes={tried.report.goes}
          {...{ typed, name: data?.name ?? '', onType: setTyped }}
        />
      ) : tried?.report ? (
        <ImportReport found={tried} report={tried.report} />
      ) : (
        <>
          {reason === undefined ? null : (
            <Banner tone="danger">
              {t('dataManagement.import.failed')} {reason}
            </Banner>
          )}
          <ImportChoices {...{ mode, prefers, onMode: setMode, onPrefers: setPrefers }} />
        </>
      )}
    </FormDialog>
  );
}

type Report = NonNullable<DataImport['report']>;

function countChanges(report: Report): number {
  const { contacts, customFields, templates, campaigns, settings } = report;
  return [contacts, customFields, templates, campaigns, settings].reduce(
    (sum, { added, changed }) => sum + added + changed,
    0,
  );
}
