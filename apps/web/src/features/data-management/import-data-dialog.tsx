import { importPreferences, type ImportPreference } from '@app/domain/data-management/data-import';
import { useState } from 'react';
import { formatBytes } from '../../shared/formats.ts';
import { ActProgress } from '../../shared/long-acts/act-progress.tsx';
import { useLongAct } from '../../shared/long-acts/long-acts.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ImportReport } from './import-report.tsx';
import { newImportId, uploadData, type DataImport } from './upload-data.ts';

/** First what the file would change, then the import itself. */
export function ImportDataDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const [prefers, setPrefers] = useState<ImportPreference>('file');
  const [running, setRunning] = useState<string>();
  const [tried, setTried] = useState<DataImport>();
  const [reason, setReason] = useState<string>();
  const act = useLongAct(running);

  const check = async () => {
    const id = newImportId();
    setRunning(id);
    setReason(undefined);
    const uploaded = await uploadData({ id, file, prefers, isDryRun: true });
    setRunning(undefined);
    if ('found' in uploaded) return setTried(uploaded.found);
    setReason(uploaded.reason);
    notify.error(t('dataManagement.import.failed'), { text: uploaded.reason });
  };
  // From here on it needs this page only until the file is there.
  const begin = async () => {
    const id = newImportId();
    setRunning(id);
    const uploaded = await uploadData({ id, file, prefers, isDryRun: false });
    if ('found' in uploaded) {
      notify.success(t('dataManagement.import.done'));
      await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
      return onClose();
    }
    setRunning(undefined);
    setTried(undefined);
    setReason(uploaded.reason);
    notify.error(t('dataManagement.import.failed'), { text: uploaded.reason });
  };
  const changes = tried?.report ? countChanges(tried.report) : 0;
  return (
    <FormDialog
      title={t(tried ? 'dataManagement.import.preview' : 'dataManagement.import.title')}
      description={`${file.name} · ${formatBytes(file.size)}`}
      size="large"
      submitLabel={t(tried ? 'dataManagement.import.act' : 'dataManagement.import.check')}
      isSaving={running !== undefined}
      isReady={!tried || changes > 0}
      whyNot={t('dataManagement.import.nothing')}
      note={
        tried && running === undefined ? (
          <Button className="mr-auto" onClick={() => setTried(undefined)}>
            {t('dataManagement.import.back')}
          </Button>
        ) : null
      }
      onClose={onClose}
      onSubmit={() => void (tried ? begin() : check())}
    >
      {running !== undefined ? (
        <div className="grid gap-3 py-2">
          {act ? <ActProgress act={act} /> : <p role="status">{t('dataManagement.import.reading')}</p>}
          <p className="text-muted">{t('dataManagement.import.goesOn')}</p>
        </div>
      ) : tried?.report ? (
        <ImportReport found={tried} report={tried.report} />
      ) : (
        <>
          {reason === undefined ? null : (
            <Banner tone="danger">
              {t('dataManagement.import.failed')} {reason}
            </Banner>
          )}
          <FieldGroup legend={t('dataManagement.import.prefers')} hint={t('dataManagement.import.rules')}>
            {importPreferences.map((one) => (
              <Radio
                key={one}
                name="prefers"
                label={t(`dataManagement.import.prefers.${one}`)}
                hint={t(`dataManagement.import.prefers.${one}Hint`)}
                checked={prefers === one}
                onChange={() => setPrefers(one)}
              />
            ))}
          </FieldGroup>
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
