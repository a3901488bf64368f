import { formatWholePercent } from '../../shared/formats.ts';

/** A rate of the specification; a dash where there is nothing to be a part of. */
export function rateText(percent: number | null): string {
  return percent === null ? '–' : formatWholePercent(percent / 100);
}
