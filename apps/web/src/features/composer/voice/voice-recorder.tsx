import { Mic, Pause, SendHorizontal, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { recordVoice, VoiceError, type VoiceProblem, type VoiceRecording } from './voice-recording.ts';

type Stage = 'asking' | 'recording' | 'paused' | 'listening' | VoiceProblem;
/** The platform takes more; nobody listens to more. */
const LONGEST_SECONDS = 15 * 60;
const TICK_MS = 100;

/** A voice note: recorded with its loudness in sight, paused, heard again, thrown away or sent. */
export function VoiceRecorder({
  onSend,
  onClose,
}: {
  onSend: (recording: Blob) => void;
  onClose: () => void;
}) {
  const [stage, setStage] = useState<Stage>('asking');
  const [seconds, setSeconds] = useState(0);
  const [level, setLevel] = useState(0);
  const [said, setSaid] = useState<{ blob: Blob; url: string }>();
  const recording = useRef<VoiceRecording>(null);
  const main = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let isGone = false;
    recordVoice().then(
      (begun) => {
        if (isGone) return begun.discard();
        recording.current = begun;
        setStage('recording');
      },
      (error: unknown) => {
        if (!isGone) setStage(error instanceof VoiceError ? error.problem : 'no_microphone');
      },
    );
    main.current?.focus();
    return () => {
      isGone = true;
      recording.current?.discard();
    };
  }, []);

  useEffect(() => {
    if (stage !== 'recording') return undefined;
    const timer = setInterval(() => {
      setSeconds((before) => before + TICK_MS / 1000);
      setLevel(recording.current?.level() ?? 0);
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [stage]);

  const url = said?.url;
  useEffect(() => (url ? () => URL.revokeObjectURL(url) : undefined), [url]);

  async function finish(): Promise<Blob | null> {
    // Taken at once: whoever presses twice has it once.
    const begun = recording.current;
    recording.current = null;
    return said?.blob ?? (await begun?.finish()) ?? null;
  }

  async function listen() {
    const blob = await finish();
    if (!blob) return onClose();
    setSaid({ blob, url: URL.createObjectURL(blob) });
    setStage('listening');
  }

  async function send() {
    const blob = await finish();
    onClose();
    if (blob) onSend(blob);
  }

  const isTooLong = seconds >= LONGEST_SECONDS;
  const listenNow = useRef(listen);
  useEffect(() => {
    listenNow.current = listen;
  });
  useEffect(() => {
    if (isTooLong) void listenNow.current();
  }, [isTooLong]);

  const problem = stage === 'refused' || stage === 'no_microphone' || stage === 'not_here' ? stage : null;
  return (
    <div
      ref={main}
      role="group"
      tabIndex={-1}
      aria-label={t('composer.voice.label')}
      className="flex min-h-14 flex-wrap items-center gap-2 px-3 py-2 outline-none"
    >
      {problem ? (
        <>
          <p role="alert" className="min-w-0 flex-1 basis-56 text-sm text-danger">
            {t(`composer.voice.${problem}`)}
          </p>
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      ) : (
        <>
          <IconButton label={t('composer.voice.discard')} onClick={onClose}>
            <Trash2 aria-hidden />
          </IconButton>
          {stage === 'listening' && url ? (
            // oxlint-disable-next-line jsx-a11y/media-has-caption -- it was spoken a moment ago by whoever hears it
            <audio controls src={url} className="h-9 min-w-0 flex-1" />
          ) : (
            <>
              <Mic
                aria-hidden
                className={stage === 'recording' ? 'size-4 text-danger' : 'size-4 text-muted'}
              />
              <span role="timer" className="w-12 text-sm tabular-nums">
                {clockOf(seconds)}
              </span>
              <span
                aria-hidden
                className="h-1.5 min-w-10 flex-1 overflow-hidden rounded-full bg-neutral-soft"
              >
                <span
                  className="block h-full rounded-full bg-primary"
                  style={{
                    width: `${stage === 'recording' ? Math.round(Math.min(1, level * 1.6) * 100) : 0}%`,
                  }}
                />
              </span>
              <span role="status" className="sr-only">
                {t(
                  stage === 'asking'
                    ? 'composer.voice.asking'
                    : `composer.voice.${stage === 'paused' ? 'paused' : 'recording'}`,
                )}
              </span>
              <IconButton
                label={t(stage === 'paused' ? 'composer.voice.goOn' : 'composer.voice.pause')}
                disabled={stage === 'asking'}
                onClick={() => {
                  if (stage === 'paused') recording.current?.goOn();
                  else recording.current?.pause();
                  setStage(stage === 'paused' ? 'recording' : 'paused');
                }}
              >
                {stage === 'paused' ? <Mic aria-hidden /> : <Pause aria-hidden />}
              </IconButton>
              <IconButton
                label={t('composer.voice.listen')}
                disabled={stage === 'asking'}
                onClick={() => void listen()}
              >
                <Square aria-hidden />
              </IconButton>
            </>
          )}
          <Button
            variant="primary"
            icon={<SendHorizontal aria-hidden />}
            disabled={stage === 'asking'}
            onClick={() => void send()}
          >
            {t('composer.send')}
          </Button>
        </>
      )}
    </div>
  );
}

function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
