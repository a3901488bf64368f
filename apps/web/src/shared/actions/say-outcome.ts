import { notify } from '../../ui/toast.ts';

type Ways = { errorMessage: (error: unknown) => string; refresh: () => Promise<unknown> };

/** Does an act, says what it came to or why it did not, and reads anew what it concerns: after a refusal, too. */
export async function sayOutcome(
  work: () => Promise<string>,
  { errorMessage, refresh }: Ways,
): Promise<void> {
  try {
    notify.success(await work());
  } catch (error) {
    notify.error(errorMessage(error));
  }
  await refresh();
}
