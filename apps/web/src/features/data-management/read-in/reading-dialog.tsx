import { useState } from 'react';
import { useAct } from '../../../shared/acts/use-act.ts';
import { api, orpc } from '../../../shared/api.ts';
import { formatBytes } from '../../../shared/formats.ts';
import { reasonOf } from '../../../shared/long-acts/act-words.ts';
import { followAct } from '../../../shared/long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../../../shared/long-acts/long-acts.ts';
import { t } from '../../../shared/messages.ts';
import { queryClient } from '../../../shared/query-client.ts';
import { readSessionAnew } from '../../../shared/session.ts';
import { notify } from '../../../ui/toast.ts';
import { archiveReadingsOptions, type ArchiveReading } from '../data-queries.ts';
import { ReadingOutcome } from './reading-outcome.tsx';
import { ReadingPreview } from './reading-preview.tsx';
import { OpenArchive, RunningReading, SendingArchive } from './reading-steps.tsx';
import { readingFailureText } from './reading-words.ts';

type Wanted = { readingId: string; passphrase: string | null };

interface ReadingDialogProps {
  /** Chosen here, or sent before. */
  from: File | ArchiveReading;
  onClose: () => void;
}

/** An archive is sent, opened, looked through, and put in the place of what is here; what was typed stays through each refusal. */
export function ReadingDialog({ from, onClose }: ReadingDialogProps) {
  const [reading, setReading] = useState(from instanceof File ? null : from);
  const [passphrase, setPassphrase] = useState('');
  const [typed, setTyped] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [running, setRunning] = useState<LongAct>();
  const [reason, setReason] = useState<string>();
  const [isDone, setDone] = useState(false);
  const onError = (error: unknown) => setReason(readingFailureText(error));

  const check = useAct({
    mutationFn: (wanted: Wanted) => api.dataManagement.checkArchive(wanted),
    onMutate: () => setReason(undefined),
    onSuccess: async (begun, { readingId }) => {
      setRunning(begun);
      const act = await endOf(begun);
      // What was found stands here, not in the banner as well.
      await api.longActs.dismiss({ actId: begun.id }).catch(() => undefined);
      const found = await readAnew(readingId);
      await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
      setRunning(undefined);
      if (act?.state === 'done' && found?.report) {
        setReading(found);
        return setChecked(true);
      }
      setReason(whyNot(act));
    },
    onError,
  });
  const replace = useAct({
    mutationFn: (wanted: Wanted & { name: string }) => api.dataManagement.replaceByArchive(wanted),
    onMutate: () => setReason(undefined),
    onSuccess: async (begun, { readingId }) => {
      setRunning(begun);
      const act = await endOf(begun);
      const found = await readAnew(readingId);
      void Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
      setRunning(undefined);
      if (act?.state !== 'done') return setReason(whyNot(act));
      notify.success(t('dataManagement.reading.done'));
      setReading((before) => found ?? before);
      setDone(true);
    },
    onError,
  });
  const { mutate: look } = check;
  // An open one needs nothing that somebody types.
  const goOn = (sent: ArchiveReading) => {
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
  if (running) return <RunningReading act={running} about={about} onClose={onClose} />;
  if (isDone && report) return <ReadingOutcome reading={reading} report={report} onClose={onClose} />;
  if (isChecked && report)
    return (
      <ReadingPreview
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
async function readAnew(readingId: string): Promise<ArchiveReading | undefined> {
  const list = await queryClient
    .fetchQuery({ ...archiveReadingsOptions(), staleTime: 0 })
    .catch(() => undefined);
  return list?.items.find(({ id }) => id === readingId);
}

async function endOf(begun: LongAct): Promise<LongAct | null> {
  await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  return isActOver(begun) ? begun : followAct(begun.id);
}

function whyNot(act: LongAct | null): string {
  if (act?.state === 'cancelled') return t('longActs.cancelled');
  return act ? reasonOf(act) : t('common.error.offline');
}
