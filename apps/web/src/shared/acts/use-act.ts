import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query';
import { useId } from 'react';
import { createPressGate } from './press-gate.ts';

const gate = createPressGate();
/** What the second half of a double click waits for: the first half does everything that there is to do. */
const never = new Promise<never>(() => undefined);

/**
 * The library's mutation for what people press. A second press of the same act, under way or just answered, ends here: it
 * neither reaches the server nor tells or fetches anything a second time.
 */
export function useAct<Data, Failure = Error, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Failure, Variables, Result>,
): UseMutationResult<Data, Failure, Variables, Result> {
  const owner = useId();
  const mutation = useMutation(options);
  const mutateAsync: typeof mutation.mutateAsync = (...args) => {
    const act = `${owner} ${JSON.stringify(args[0])}`;
    if (!gate.enter(act)) return never;
    return mutation.mutateAsync(...args).then(
      (answer) => {
        gate.leave(act, true);
        return answer;
      },
      (error: unknown) => {
        gate.leave(act, false);
        throw error;
      },
    );
  };
  const mutate: typeof mutation.mutate = (...args) => {
    // The failure stands in the mutation itself.
    mutateAsync(...args).catch(() => undefined);
  };
  return { ...mutation, mutate, mutateAsync };
}
