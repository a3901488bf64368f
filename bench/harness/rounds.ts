export type Sample = Record<string, number>;

export type Contestant = { name: string; run(): Promise<Sample> };

/** Every contestant once per round, the order reversed every other round, so that a noisy minute hits all alike. */
export async function playRounds(
  contestants: readonly Contestant[],
  rounds: number,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of round % 2 === 0 ? contestants : contestants.toReversed()) {
      const sample = await contestant.run();
      samples.get(contestant.name)?.push(sample);
      console.log(`  round ${round + 1} ${contestant.name}: ${showSample(sample)}`);
    }
  }
  return samples;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

export function medianOf(samples: readonly Sample[] | undefined, figure: string): number {
  return median((samples ?? []).map((sample) => sample[figure] ?? 0));
}

export function show(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
}

/** `median (least–most)`. */
export function showRange(samples: readonly Sample[] | undefined, figure: string): string {
  const values = (samples ?? []).map((sample) => sample[figure] ?? 0);
  return `${show(median(values))} (${show(Math.min(...values))}–${show(Math.max(...values))})`;
}

function showSample(sample: Sample): string {
  return Object.entries(sample)
    .map(([figure, value]) => `${figure} ${show(value)}`)
    .join(', ');
}
