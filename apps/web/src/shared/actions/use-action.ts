import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useId } from 'react';
import { createPressGate } from './press-gate.ts';

const gate = createPressGate();
/** What the second half of a double click waits for: the first half does everything that there is to do. */
const never = new Promise<never>(() => undefined);

/** Performs what is pressed outside of a component, such as in a notification, under the same rule; `act` names it with its input. */
export function pressOnce<Answer>(act: string, perform: () => Promise<Answer>): Promise<Answer> {
  if (!gate.enter(act)) return never;
  return perform().then(
    (answer) => {
      gate.leave(act, true);
      return answer;
    },
    (error: unknown) => {
      gate.leave(act, false);
      throw error;
    },
  );
}

/**
 * The library's mutation for what people press. A second press of the same act, under way or just answered, ends here: it
 * neither reaches the server nor tells or fetches anything a second time.
 */
export function useAction<Data, Failure = Error, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Result>,
): UseMutationResult<Data, Failure, Variables, Result> {
  const owner = useId();
  const mutation = useMutation(options);
  const mutateAsync: typeof mutation.mutateAsync = (...args) =>
    pressOnce(`${owner} ${JSON.stringify(args[0])}`, () => mutation.mutateAsync(...args));
  const mutate: typeof mutation.mutate = (...args) => {
    // The failure stands in the mutation itself.
    mutateAsync(...args).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}
