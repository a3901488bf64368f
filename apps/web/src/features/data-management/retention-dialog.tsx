import { daysOfFiles, type RetentionSettings } from '@app/domain/data-management/retention';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatBytes } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { timeOf } from './retention-words.ts';
import { BusinessNameField } from './business-name-field.tsx';
import { dataOptions, type RetentionPreview } from './data-queries.ts';

interface RetentionDialogProps {
  chosen: RetentionSettings;
  preview: RetentionPreview;
  isSaving: boolean;
  onSave: (name: string) => void;
  onClose: () => void;
}

/** What would go for good, and the name of the business that is typed before it does. */
export function RetentionDialog({ chosen, preview, isSaving, onSave, onClose }: RetentionDialogProps) {
  const { data } = useQuery(dataOptions());
  const [typed, setTyped] = useState('');
  const isRight = data !== undefined && typed.trim() === data.name;
  const save = () => {
    if (isRight && !isSaving) onSave(typed);
  };
  const { messages, files, fileBytes, audit, logs } = preview;
  const going = [
    messages > 0 &&
      t('dataManagement.retention.goes.messages', {
        n: messages,
        time: timeOf(chosen.messages),
      }),
    files > 0 &&
      t('dataManagement.retention.goes.files', {
        n: files,
        time: timeOf(daysOfFiles(chosen)),
        size: formatBytes(fileBytes),
      }),
    audit > 0 &&
      t('dataManagement.retention.goes.audit', {
        n: audit,
        time: timeOf(chosen.audit),
      }),
    logs > 0 &&
      t('dataManagement.retention.goes.logs', {
        n: logs,
        time: timeOf(chosen.logs),
      }),
  ].filter((line) => line !== false);
  return (
    <FormDialog
      title={t('dataManagement.retention.question')}
      description={t('dataManagement.retention.questionText')}
      submitLabel={t('dataManagement.retention.delete')}
      buttons={
        <Button variant="danger" disabled={!isRight} loading={isSaving} onClick={save}>
          {t('dataManagement.retention.delete')}
        </Button>
      }
      onClose={onClose}
      onSubmit={save}
    >
      <ul className="list-disc ps-5">
        {going.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {data ? <BusinessNameField name={data.name} typed={typed} onType={setTyped} /> : null}
    </FormDialog>
  );
}
