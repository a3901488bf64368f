/**
 * Refusals that say something lasting of the person: the same message to them fails again, whatever anybody mends. Everything else may
 * succeed another time, by itself or once its cause is put right. The words for each stand in `delivery-error-messages.ts`.
 */
export const lastingErrors: readonly string[] = [
  '130403',
  '130472',
  '130497',
  '131021',
  '131026',
  '131050',
  '131062',
];

/** Whether sending the same once more can succeed; null is a failure without a code. */
export function mayStillSucceed(code: string | null): boolean {
  return code === null || !lastingErrors.includes(code);
}
