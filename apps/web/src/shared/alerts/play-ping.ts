let context: AudioContext | undefined;

/** Two short tones, quiet. A browser in which nobody has pressed anything yet stays silent. */
export function playPing(): void {
  // A context that is opened before that sounds nothing, and the browser warns in its console. Older browsers do not say.
  if (navigator.userActivation?.hasBeenActive === false) return;
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
    const [now, gain] = [context.currentTime, context.createGain()];
    gain.gain.setValueAtTime(0.0001, now);
    gain.gain.exponentialRampToValueAtTime(0.12, now + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.0001, now + 0.4);
    gain.connect(context.destination);
    for (const [frequency, begin] of [
      [660, 0],
      [880, 0.12],
    ] as const) {
      const tone = context.createOscillator();
      tone.frequency.value = frequency;
      tone.connect(gain);
      tone.start(now + begin);
      tone.stop(now + 0.4);
    }
  } catch {
    // Without sound: the counts and the list say it too.
  }
}
