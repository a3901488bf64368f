import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { afterPaint } from '../ui/after-paint.ts';

type Search = Record<string, unknown>;

/**
 * Keeps a page's filters, tabs and open items in the address. `read` turns the raw search into the page's own shape
 * with its defaults; `set({ status: undefined })` takes a value out again.
 */
export function useUrlState<State extends object>(
  read: (search: Search) => State,
): [State, (patch: { [Key in keyof State]?: State[Key] | undefined }, options?: { push?: boolean }) => void] {
  const search: Search = useSearch({ strict: false });
  const router = useRouter();
  const state = useMemo(() => read(search), [read, search]);
  const set = useCallback(
    (patch: object, options: { push?: boolean } = {}) => {
      const from = router.state.location.pathname;
      // All of the page follows its address, which takes a while: what was pressed or typed shows first.
      afterPaint(() => {
        if (router.state.location.pathname !== from) return;
        void router.navigate({
          to: '.',
          search: (before: Search) => withoutEmpty({ ...before, ...patch }),
          replace: options.push !== true,
          resetScroll: false,
        });
      });
    },
    [router],
  );
  return [state, set];
}

/** A text of the search, or `fallback`. */
export function readText(search: Search, name: string, fallback = ''): string {
  const value = search[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : fallback;
}

/** One of the allowed values, or the first of them. */
export function readOneOf<const Value extends string>(
  search: Search,
  name: string,
  allowed: readonly [Value, ...Value[]],
): Value {
  return allowed.find((value) => value === search[name]) ?? allowed[0];
}

function withoutEmpty(search: Search): Search {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== '' && value !== null),
  );
}
