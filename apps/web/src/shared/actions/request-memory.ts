/** What is asked for again within this time of its answer is the second half of a double click. */
export const SAME_PRESS_MS = 1_000;
/** Acts without an answer whose keys are kept for another try. */
const MOST_KEPT = 20;

type Kept = { key: string; answer: Promise<unknown> | null };

/** Performs an act under the key that belongs to it, or under the one that its form holds. */
export type RequestOnce = <Answer>(
  act: string,
  perform: (key: string) => Promise<Answer>,
  formKey?: string,
) => Promise<Answer>;

/**
 * Every form, dialog and button acts through this: the same act, pressed again while it is under way or just after, is one
 * request with one answer. If its answer is lost, the next try has the same key, and the server does it once. A refused or
 * answered act is over: the same on purpose, later, is another one. `act` names the endpoint and its whole input. What
 * creates or sends may change between two tries: its form holds one key from its opening until the act is done.
 */
export function createRequestMemory(isUnanswered: (error: unknown) => boolean): RequestOnce {
  const kept = new Map<string, Kept>();
  let last: { act: string; answer: Promise<unknown> } | null = null;

  return function requestOnce<Answer>(
    act: string,
    perform: (key: string) => Promise<Answer>,
    formKey?: string,
  ): Promise<Answer> {
    const known = kept.get(act);
    const earlier = known?.answer ?? (last?.act === act ? last.answer : null);
    // The same act has the same type of answer.
    if (earlier) return earlier as Promise<Answer>;
    const key = formKey ?? known?.key ?? newKey();
    const answer = perform(key).then(
      (value) => {
        kept.delete(act);
        const over = (last = { act, answer });
        setTimeout(() => {
          if (last === over) last = null;
        }, SAME_PRESS_MS);
        return value;
      },
      (error: unknown) => {
        kept.delete(act);
        if (isUnanswered(error)) kept.set(act, { key, answer: null });
        evictOldest();
        throw error;
      },
    );
    kept.set(act, { key, answer });
    last = null;
    return answer;
  };

  function evictOldest(): void {
    for (const [act, { answer }] of kept) if (kept.size > MOST_KEPT && answer === null) kept.delete(act);
  }
}

/** A random UUID, for acts and for what is made under an id of the browser's: `crypto.randomUUID` exists only on https and localhost. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80; // the variant of RFC 9562
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
