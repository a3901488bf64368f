import { Download, Mic, Music, Pause, Play } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../../shared/messages.ts';
import type { Message } from '../timeline-window.ts';
import { contentOf, downloadOf } from '../../../shared/conversations/file-addresses.ts';

type MessageFile = Message['files'][number];
const SPEEDS = [1, 1.5, 2];
const BARS = 40;

/** One at a time: who begins to play ends the other. */
let playing: HTMLAudioElement | null = null;

/** A voice message or a sound, with where it is, how loud it gets, and its speed. */
export function AudioPart({ file, isVoice, name }: { file: MessageFile; isVoice: boolean; name: string }) {
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isBroken, setIsBroken] = useState(false);
  const [at, setAt] = useState(0);
  const [length, setLength] = useState((file.durationMs ?? 0) / 1000);
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    const element = audio.current;
    return () => element?.pause();
  }, []);
  const source = contentOf(file);
  const label = isVoice ? t('conversations.line.voice') : name || t('conversations.line.audio');

  function toggle() {
    const element = audio.current;
    if (!element) return;
    if (!element.paused) {
      element.pause();
      return;
    }
    if (playing !== element) playing?.pause();
    playing = element;
    element.playbackRate = speed;
    element.play().catch(() => setIsBroken(true));
  }
  function nextSpeed() {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  }
  function seek(to: number) {
    if (!audio.current || length === 0) return;
    audio.current.currentTime = to;
    setAt(to);
  }

  return (
    <div role="group" aria-label={label} className="flex w-64 max-w-full items-center gap-2 py-0.5">
      <audio
        ref={audio}
        src={source}
        preload="none"
        onPlay={() => setIsPlaying(true)}
        onPause={() => setIsPlaying(false)}
        onEnded={() => setAt(0)}
        onError={() => setIsBroken(true)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
        onDurationChange={(event) => {
          if (Number.isFinite(event.currentTarget.duration)) setLength(event.currentTarget.duration);
        }}
      >
        <track kind="captions" />
      </audio>
      <button
        type="button"
        aria-label={isPlaying ? t('chat.audio.pause') : t('chat.audio.play')}
        disabled={isBroken}
        onClick={toggle}
        className="grid size-9 shrink-0 place-items-center rounded-full bg-black/10 disabled:opacity-50 dark:bg-white/15"
      >
        {isPlaying ? (
          <Pause aria-hidden className="size-4.5 fill-current" />
        ) : (
          <Play aria-hidden className="ms-0.5 size-4.5 fill-current" />
        )}
      </button>
      <div className="min-w-0 flex-1">
        <div className="relative h-7">
          <Waveform levels={file.waveform} share={length === 0 ? 0 : at / length} />
          <input
            type="range"
            aria-label={t('chat.audio.place')}
            aria-valuetext={`${clock(at)} / ${clock(length)}`}
            min={0}
            max={length || 1}
            step={0.1}
            value={at}
            disabled={length === 0}
            onChange={(event) => seek(event.currentTarget.valueAsNumber)}
            className="absolute inset-0 w-full cursor-pointer opacity-0"
          />
        </div>
        <div className="flex items-center justify-between text-xs text-bubble-muted tabular-nums">
          <span>{isBroken ? t('chat.audio.broken') : clock(at > 0 ? at : length)}</span>
          {isBroken ? (
            <a href={downloadOf(file)} download className="text-bubble-link" aria-label={t('chat.download')}>
              <Download aria-hidden className="size-4" />
            </a>
          ) : isVoice ? (
            <Mic aria-hidden className="size-3.5" />
          ) : (
            <Music aria-hidden className="size-3.5" />
          )}
        </div>
      </div>
      <button
        type="button"
        aria-label={t('chat.audio.speed', { speed: String(speed) })}
        onClick={nextSpeed}
        className="min-h-6 min-w-9 shrink-0 rounded-full bg-black/10 px-1.5 text-xs font-semibold tabular-nums dark:bg-white/15"
      >
        {speed}×
      </button>
    </div>
  );
}

function Waveform({ levels, share }: { levels: readonly number[] | null; share: number }) {
  const bars = Array.from({ length: BARS }, (_, index) =>
    levels && levels.length > 0 ? (levels[Math.floor((index / BARS) * levels.length)] ?? 0) : 12,
  );
  return (
    <span aria-hidden className="absolute inset-0 flex items-center gap-px">
      {bars.map((level, index) => (
        <span
          key={index}
          className={`min-w-0 flex-1 rounded-full ${index / BARS < share ? 'bg-bubble-link' : 'bg-bubble-muted/60'}`}
          style={{ height: `${Math.max(10, Math.min(100, level))}%` }}
        />
      ))}
    </span>
  );
}

/** 95 → 1:35 */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
