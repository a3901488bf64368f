import { useSyncExternalStore } from 'react';

interface Screen {
  subscribe: (listener: () => void) => () => void;
  isMatch: () => boolean;
}

/** One for each query: a browser makes a new list for every question, and a page asks at each drawing. */
const screens = new Map<string, Screen>();

/** Whether the screen matches now, such as `(max-width: 639px)`. */
export function useMediaQuery(query: string): boolean {
  const { subscribe, isMatch } = screenOf(query);
  return useSyncExternalStore(subscribe, isMatch, () => false);
}

function screenOf(query: string): Screen {
  const known = screens.get(query);
  if (known) return known;
  let list: MediaQueryList | undefined;
  const listOf = () => (list ??= matchMedia(query));
  const screen: Screen = {
    subscribe(listener) {
      listOf().addEventListener('change', listener);
      return () => listOf().removeEventListener('change', listener);
    },
    isMatch: () => listOf().matches,
  };
  screens.set(query, screen);
  return screen;
}
