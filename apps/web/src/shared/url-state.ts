import { useNavigate, useSearch } from '@tanstack/react-router';
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
  const navigate = useNavigate();
  const state = useMemo(() => read(search), [read, search]);
  const set = useCallback(
    (patch: object, options: { push?: boolean } = {}) => {
      const change = () =>
        void navigate({
          to: '.',
          search: (before: Search) => withoutEmpty({ ...before, ...patch }),
          replace: options.push !== true,
          resetScroll: false,
        });
      // What opens, such as a dialog, may take a while to draw; the press that opens it shows at once.
      if (options.push) afterPaint(change);
      else change();
    },
    [navigate],
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
