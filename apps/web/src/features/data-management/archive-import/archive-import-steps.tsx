import { LONGEST_PASSPHRASE } from '@app/domain/data-management/workspace-archive';
import { useEffect, useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { formatBytes } from '../../../shared/formats.ts';
import { OperationProgress } from '../../../shared/operations/operation-progress.tsx';
import { useOperation, type Operation } from '../../../shared/operations/operations.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/input.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import type { ArchiveImport } from '../data-queries.ts';
import { sendArchive } from './send-archive.ts';

interface SendingArchiveProps {
  file: File;
  onSent: (reading: ArchiveImport) => void;
  onClose: () => void;
}

/** The file on its way: how much has left, and what to do where it was refused. Closing it stops it. */
export function SendingArchive({ file, onSent, onClose }: SendingArchiveProps) {
  const [share, setShare] = useState(0);
  const [reason, setReason] = useState<string>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const stopping = new AbortController();
    const { signal } = stopping;
    void sendArchive(file, { signal, report: setShare }).then((sent) => {
      if (signal.aborted) return;
      if ('reading' in sent) onSent(sent.reading);
      else setReason(sent.reason);
    });
    return () => stopping.abort();
    // Another one to tell is no reason to send it again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [file, tries]);
  const again = () => {
    setReason(undefined);
    setShare(0);
    setTries(tries + 1);
  };
  return (
    <FormDialog
      title={t('dataManagement.reading.title')}
      description={`${file.name} · ${formatBytes(file.size)}`}
      submitLabel={t('dataManagement.reading.sendAgain')}
      isSaving={reason === undefined}
      onClose={onClose}
      onSubmit={again}
    >
      {reason === undefined ? (
        <div className="grid gap-1">
          <Progress
            label={t('dataManagement.reading.sending')}
            done={Math.round(share * 1000)}
            total={1000}
            hideCounts
          />
          <p className="text-sm text-muted tabular-nums">
            {t('operations.bytes', { done: formatBytes(share * file.size), total: formatBytes(file.size) })}
          </p>
          <p className="text-muted">{t('dataManagement.reading.sendingHint')}</p>
        </div>
      ) : (
        <Banner tone="danger">{reason}</Banner>
      )}
    </FormDialog>
  );
}

interface OpenArchiveProps {
  about: string;
  isEncrypted: boolean;
  passphrase: string;
  reason: string | undefined;
  isStarting: boolean;
  onType: (passphrase: string) => void;
  onCheck: () => void;
  onClose: () => void;
}

/** What opens it, where it is closed. */
export function OpenArchive(props: OpenArchiveProps) {
  const { about, isEncrypted, passphrase, reason, isStarting } = props;
  return (
    <FormDialog
      title={t('dataManagement.reading.title')}
      description={about}
      submitLabel={t('dataManagement.reading.check')}
      isReady={!isEncrypted || passphrase !== ''}
      whyNot={t('dataManagement.reading.needsPassphrase')}
      isSaving={isStarting}
      onClose={props.onClose}
      onSubmit={props.onCheck}
    >
      {reason === undefined ? null : <Banner tone="danger">{reason}</Banner>}
      {isEncrypted ? (
        <Field
          label={t('dataManagement.archive.passphrase')}
          hint={t('dataManagement.reading.passphraseHint')}
        >
          <PasswordInput
            value={passphrase}
            autoComplete="off"
            maxLength={LONGEST_PASSPHRASE}
            onChange={(event) => props.onType(event.currentTarget.value)}
          />
        </Field>
      ) : null}
      <p className="text-muted">{t('dataManagement.reading.checkHint')}</p>
    </FormDialog>
  );
}

/** How far it is looked through or read in; closing leaves it alone. */
export function RunningArchiveImport({
  operation: begun,
  about,
  onClose,
}: {
  operation: Operation;
  about: string;
  onClose: () => void;
}) {
  const operation = useOperation(begun.id) ?? begun;
  const stop = useAction(
    orpc.operations.cancel.mutationOptions({ onError: (error) => void notify.error(errorMessage(error)) }),
  );
  return (
    <Dialog
      open
      keepOpenOnOutsidePress
      title={t('dataManagement.reading.title')}
      description={about}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      footer={
        <>
          <Button
            className="mr-auto"
            loading={stop.isPending}
            disabled={!operation.mayCancel}
            onClick={() => stop.mutate({ operationId: operation.id })}
          >
            {t('operations.stop')}
          </Button>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <div className="grid gap-3 py-2">
        <OperationProgress operation={operation} />
        <p className="text-muted">{t('dataManagement.reading.goesOn')}</p>
      </div>
    </Dialog>
  );
}
