import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { formatBytes } from '../../../shared/formats.ts';
import { reasonOf } from '../../../shared/operations/operation-messages.ts';
import { followOperation } from '../../../shared/operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../../../shared/operations/operations.ts';
import { t } from '../../../shared/messages.ts';
import { queryClient } from '../../../shared/query-client.ts';
import { readSessionAnew } from '../../../shared/session.ts';
import { notify } from '../../../ui/toast.ts';
import { archiveImportsOptions, type ArchiveImport } from '../data-queries.ts';
import { ArchiveImportOutcome } from './archive-import-outcome.tsx';
import { ArchiveImportPreview } from './archive-import-preview.tsx';
import { OpenArchive, RunningArchiveImport, SendingArchive } from './archive-import-steps.tsx';
import { archiveImportErrorMessage } from './archive-import-messages.ts';

type Wanted = { readingId: string; passphrase: string | null };

interface ArchiveImportDialogProps {
  /** Chosen here, or sent before. */
  from: File | ArchiveImport;
  onClose: () => void;
}

/** An archive is sent, opened, looked through, and put in the place of what is here; what was typed stays through each refusal. */
export function ArchiveImportDialog({ from, onClose }: ArchiveImportDialogProps) {
  const [reading, setReading] = useState(from instanceof File ? null : from);
  const [passphrase, setPassphrase] = useState('');
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [running, setRunning] = useState<Operation>();
  const [reason, setReason] = useState<string>();
  const [isDone, setDone] = useState(false);
  const onError = (error: unknown) => setReason(archiveImportErrorMessage(error));

  const check = useAction({
    mutationFn: (wanted: Wanted) => api.dataManagement.checkArchive(wanted),
    onMutate: () => setReason(undefined),
    onSuccess: async (begun, { readingId }) => {
      setRunning(begun);
      const operation = await endOf(begun);
      // What was found stands here, not in the banner as well.
      await api.operations.dismiss({ operationId: begun.id }).catch(() => undefined);
      const found = await readAnew(readingId);
      await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
      setRunning(undefined);
      if (operation?.state === 'done' && found?.report) {
        setReading(found);
        return setChecked(true);
      }
      setReason(whyNot(operation));
    },
    onError,
  });
  const replace = useAction({
    mutationFn: (wanted: Wanted & { name: string }) => api.dataManagement.replaceByArchive(wanted),
    onMutate: () => setReason(undefined),
    onSuccess: async (begun, { readingId }) => {
      setRunning(begun);
      const operation = await endOf(begun);
      const found = await readAnew(readingId);
      void Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
      setRunning(undefined);
      if (operation?.state !== 'done') return setReason(whyNot(operation));
      notify.success(t('dataManagement.reading.done'));
      setReading((before) => found ?? before);
      setDone(true);
    },
    onError,
  });
  const { mutate: look } = check;
  // An open one needs nothing that somebody types.
  const goOn = (sent: ArchiveImport) => {
    setReading(sent);
    if (!sent.isEncrypted) look({ readingId: sent.id, passphrase: null });
  };

  if (!reading)
    return (
      <SendingArchive
        file={from as File} // only what is chosen here is not there yet
        onSent={goOn}
        onClose={onClose}
      />
    );
  const wanted = { readingId: reading.id, passphrase: reading.isEncrypted ? passphrase : null };
  const about = `${reading.fileName} · ${formatBytes(reading.bytes)}`;
  const report = reading.report;
  if (running) return <RunningArchiveImport operation={running} about={about} onClose={onClose} />;
  if (isDone && report) return <ArchiveImportOutcome reading={reading} report={report} onClose={onClose} />;
  if (isChecked && report)
    return (
      <ArchiveImportPreview
        {...{ reading, report, about, typed, reason, onClose }}
        isStarting={replace.isPending}
        onType={setTyped}
        onReplace={() => replace.mutate({ ...wanted, name: typed })}
      />
    );
  return (
    <OpenArchive
      {...{ about, passphrase, reason, onClose }}
      isEncrypted={reading.isEncrypted}
      isStarting={check.isPending}
      onType={setPassphrase}
      onCheck={() => look(wanted)}
    />
  );
}

/** As the server has it now; undefined where it is gone, or nobody answers. */
async function readAnew(readingId: string): Promise<ArchiveImport | undefined> {
  const list = await queryClient
    .fetchQuery({ ...archiveImportsOptions(), staleTime: 0 })
    .catch(() => undefined);
  return list?.items.find(({ id }) => id === readingId);
}

async function endOf(begun: Operation): Promise<Operation | null> {
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  return isOperationOver(begun) ? begun : followOperation(begun.id);
}

function whyNot(operation: Operation | null): string {
  if (operation?.state === 'cancelled') return t('operations.cancelled');
  return operation ? reasonOf(operation) : t('common.error.offline');
}
