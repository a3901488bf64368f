import {
  DAYS_ARCHIVE_KEPT,
  LONGEST_PASSPHRASE,
  SHORTEST_PASSPHRASE,
} from '@app/domain/data-management/workspace-archive';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { followOperation } from '../../shared/operations/follow-operation.ts';
import { reasonOf } from '../../shared/operations/operation-messages.ts';
import { isOperationOver, type Operation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { notify } from '../../ui/toast.ts';
import { archiveErrorMessage } from './archive-download.ts';

/** What goes along, and what closes it. Secrets go along only where something does. */
export function ArchiveDialog({ onClose }: { onClose: () => void }) {
  const [isClosed, setClosed] = useState(true);
  const [withSecrets, setWithSecrets] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const [again, setAgain] = useState('');
  const [wasTried, setTried] = useState(false);
  const [isBeginning, setBeginning] = useState(false);
  const isTooShort = isClosed && passphrase.length < SHORTEST_PASSPHRASE;
  const differs = isClosed && passphrase !== again;
  const begin = async () => {
    setTried(true);
    if (isTooShort || differs) return;
    setBeginning(true);
    try {
      const operation = await api.dataManagement.startArchive({
        withSecrets: isClosed && withSecrets,
        passphrase: isClosed ? passphrase : null,
      });
      notify.success(t('dataManagement.archive.begun'));
      void tellWhenReady(operation);
      onClose();
    } catch (error) {
      notify.error(archiveErrorMessage(error));
      setBeginning(false);
    }
  };
  return (
    <FormDialog
      title={t('dataManagement.archive.title')}
      description={t('dataManagement.archive.explain', {
        days: DAYS_ARCHIVE_KEPT,
      })}
      submitLabel={t('dataManagement.archive.act')}
      isSaving={isBeginning}
      onClose={onClose}
      onSubmit={() => void begin()}
    >
      <Checkbox
        label={t('dataManagement.archive.close')}
        hint={t('dataManagement.archive.closeHint')}
        checked={isClosed}
        onChange={(event) => setClosed(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('dataManagement.archive.withSecrets')}
        hint={t('dataManagement.archive.withSecretsHint')}
        checked={isClosed && withSecrets}
        disabled={!isClosed}
        onChange={(event) => setWithSecrets(event.currentTarget.checked)}
      />
      {isClosed ? (
        <>
          <Field
            label={t('dataManagement.archive.passphrase')}
            hint={t('dataManagement.archive.passphraseHint', {
              n: SHORTEST_PASSPHRASE,
            })}
            error={
              wasTried && isTooShort
                ? t('dataManagement.archive.tooShort', {
                    n: SHORTEST_PASSPHRASE,
                  })
                : undefined
            }
          >
            <PasswordInput
              value={passphrase}
              autoComplete="new-password"
              maxLength={LONGEST_PASSPHRASE}
              onChange={(event) => setPassphrase(event.currentTarget.value)}
            />
          </Field>
          <Field
            label={t('dataManagement.archive.again')}
            error={wasTried && !isTooShort && differs ? t('dataManagement.archive.different') : undefined}
          >
            <PasswordInput
              value={again}
              autoComplete="new-password"
              maxLength={LONGEST_PASSPHRASE}
              onChange={(event) => setAgain(event.currentTarget.value)}
            />
          </Field>
        </>
      ) : null}
    </FormDialog>
  );
}

async function tellWhenReady(begun: Operation): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  await queryClient.invalidateQueries({
    queryKey: orpc.dataManagement.listArchives.key(),
  });
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const { missingFiles = 0, lockedSecrets = 0 } = operation?.result ?? {};
  if (operation?.state === 'done') {
    if (missingFiles + lockedSecrets > 0) notify.error(t('dataManagement.archive.notWhole'));
    else notify.success(t('dataManagement.archive.ready'));
  }
  if (operation?.state === 'failed')
    notify.error(t('dataManagement.archive.failed', { reason: reasonOf(operation) }));
}
