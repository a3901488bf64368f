/** Not every browser tells, and none tells TypeScript. */
type Connection = { saveData?: boolean };

/** Whether the person asked their browser to load only what is needed. */
export function savesData(): boolean {
  return (navigator as { connection?: Connection }).connection?.saveData === true;
}
