/** Of this tab, for as long as it is open. */
const HIDDEN = 'sample-hint-hidden';

/** Whether the sample tells on its pages that it is one: until somebody hides that. */
export function isSampleHintDue({ isSample }: { isSample: boolean }): boolean {
  return isSample && sessionStorage.getItem(HIDDEN) === null;
}

export function hideSampleHint(): void {
  sessionStorage.setItem(HIDDEN, 'yes');
}
