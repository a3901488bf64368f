/** Why nothing can be recorded. */
export type VoiceProblem = 'refused' | 'no_microphone' | 'not_here';

export class VoiceError extends Error {
  readonly problem: VoiceProblem;
  constructor(problem: VoiceProblem) {
    super(problem);
    this.problem = problem;
  }
}

export type VoiceRecording = {
  pause(): void;
  goOn(): void;
  /** Loudness just now, from 0 to 1. */
  level(): number;
  /** Ends it; null when nothing was said. */
  finish(): Promise<Blob | null>;
  /** Ends it and forgets what was said. */
  discard(): void;
};

/** What browsers record; the first is what the platform plays as a voice note, of the others the server makes it. */
const formats = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'];

/** Whether this page may ask for the microphone: browsers allow it on https and on this machine. */
export function canRecord(): boolean {
  return typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia);
}

/** Asks for the microphone and records. @throws {VoiceError} */
export async function recordVoice(): Promise<VoiceRecording> {
  if (!canRecord()) throw new VoiceError('not_here');
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
    const name = error instanceof DOMException ? error.name : '';
    throw new VoiceError(
      name === 'NotAllowedError' || name === 'SecurityError' ? 'refused' : 'no_microphone',
    );
  });
  const mimeType = formats.find((format) => MediaRecorder.isTypeSupported(format));
  const recorder = new MediaRecorder(stream, { ...(mimeType && { mimeType }), audioBitsPerSecond: 32_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => void (data.size > 0 && parts.push(data));
  const audio = new AudioContext();
  const analyser = audio.createAnalyser();
  analyser.fftSize = 512;
  audio.createMediaStreamSource(stream).connect(analyser);
  const samples = new Uint8Array(analyser.fftSize);
  const hasStopped = new Promise<void>((resolve) => {
    recorder.onstop = () => resolve();
  });
  recorder.start(1_000);

  function release(): void {
    for (const track of stream.getTracks()) track.stop();
    void audio.close();
  }

  return {
    pause: () => recorder.pause(),
    goOn: () => recorder.resume(),
    level() {
      analyser.getByteTimeDomainData(samples);
      let loudest = 0;
      for (const sample of samples) loudest = Math.max(loudest, Math.abs(sample - 128) / 128);
      return loudest;
    },
    async finish() {
      if (recorder.state !== 'inactive') {
        recorder.stop();
        await hasStopped;
      }
      release();
      return parts.length === 0 ? null : new Blob(parts, { type: recorder.mimeType.split(';')[0] ?? '' });
    },
    discard() {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    },
  };
}

/** A name that says what it is; the ending is that of its format. */
export function nameOfRecording({ type }: Blob): string {
  const ending = { 'audio/ogg': 'ogg', 'audio/webm': 'webm', 'audio/mp4': 'm4a' }[type] ?? 'ogg';
  return `voice.${ending}`;
}
