const LONGEST_NAME = 200;

/** What the campaign is called that sends again to the failed recipients of another: `Spring (retry)`, then `(retry 2)`. */
export function retryName(name: string): string {
  const earlier = / \(retry(?: (\d+))?\)$/.exec(name);
  const suffix = earlier ? ` (retry ${Number(earlier[1] ?? 1) + 1})` : ' (retry)';
  const stem = earlier ? name.slice(0, earlier.index) : name;
  return stem.slice(0, LONGEST_NAME - suffix.length) + suffix;
}
