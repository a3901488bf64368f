/** About how many of those who may get the campaign are held out. */
export function holdoutOf(receiving: number, holdoutPercent: number): number {
  return Math.round((receiving * holdoutPercent) / 100);
}
