import { notify } from '../../ui/toast.ts';

type Ways = { failureText: (error: unknown) => string; refresh: () => Promise<unknown> };

/** Does an act, says what it came to or why it did not, and reads anew what it concerns: after a refusal, too. */
export async function sayOutcome(work: () => Promise<string>, { failureText, refresh }: Ways): Promise<void> {
  try {
    notify.success(await work());
  } catch (error) {
    notify.error(failureText(error));
  }
  await refresh();
}
