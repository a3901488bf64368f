import type { AnyRouter } from '@tanstack/react-router';
import type { FeatureAction } from '../../shared/feature.ts';
import { isKeyTaken, type PageShortcut } from '../../shared/actions/page-shortcuts.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { shownToasts } from '../../ui/toast.ts';
import { actions } from '../actions.tsx';
import { navigation } from '../features.tsx';
import { pressPrimary } from './press-primary.ts';

/** The letters of all pages; what they mean is said by their key, not by where it is on the keyboard. */
const keys = { create: 'c', go: 'g', undo: 'z', save: 'Enter' } as const;

/** Where G and a letter go. Each page of the sidebar has one. */
export const pageLetters: Readonly<Record<string, string>> = {
  [paths.dashboard]: 'd',
  [paths.inbox]: 'i',
  [paths.chatbot]: 'h',
  [paths.contacts]: 'c',
  [paths.templates]: 't',
  [paths.campaigns]: 'm',
  [paths.bulkMessage]: 'b',
  [paths.rcs]: 'r',
  [paths.automation]: 'a',
  [paths.integrations]: 'n',
  [paths.analytics]: 'y',
  [paths.users]: 'u',
  [paths.settings]: 's',
  [paths.profile]: 'p',
};

/** Where somebody is. */
type Place = { pathname: string; search: object };

/** The letter after G is waited for so long. */
const NEXT_LETTER_MS = 2_000;

/** What the keys do on every page, for their list. */
export function offeredKeys(at: Place): PageShortcut[] {
  const create = createsOn(at);
  return [
    ['palette.keys.save', ['Ctrl / ⌘', keys.save]],
    ['palette.keys.undo', ['Ctrl / ⌘', keys.undo.toUpperCase()]],
    ...(create ? [[create.label, [keys.create.toUpperCase()]] as const] : []),
  ];
}

/** The pages that the role may see, with their letters. */
export function offeredLetters(): PageShortcut[] {
  return allowedPages().map(({ label, path }) => [
    label,
    [keys.go.toUpperCase(), pageLetters[path]?.toUpperCase() ?? ''],
  ]);
}

/** Listens until what comes back is called; `early` were pressed before this was there, in their order. */
export function followKeys(router: AnyRouter, early: readonly KeyboardEvent[] = []): () => void {
  let goesUntil = 0;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.repeat || event.isComposing) return;
    if (act(event)) event.preventDefault();
  }

  function act(event: KeyboardEvent): boolean {
    const key = event.key.toLowerCase();
    const isMod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isMod && event.key === keys.save) return pressPrimary(event.target);
    if (isMod && key === keys.undo) return undoLast(event.target);
    if (isKeyTaken(event)) return false;
    if (key === keys.go && !event.shiftKey) {
      goesUntil = performance.now() + NEXT_LETTER_MS;
      return true;
    }
    return key === keys.create && !event.shiftKey && create();
  }

  /** Before the page's own letters hear of it. */
  function onLetterAfterGo(event: KeyboardEvent): void {
    if (performance.now() > goesUntil || event.key === 'Shift') return;
    goesUntil = 0;
    if (isKeyTaken(event)) return;
    const page = allowedPages().find(({ path }) => pageLetters[path] === event.key.toLowerCase());
    if (!page) return;
    event.preventDefault();
    void router.navigate({ to: page.path });
  }

  function create(): boolean {
    const at: Place = router.state.location;
    const action = createsOn(at);
    // Another form of the page is open already.
    if (!action || Object.keys(at.search).some(isForm)) return false;
    const kept = at.pathname === action.path ? at.search : {};
    void router.navigate({ to: action.path, search: { ...kept, ...action.search } });
    return true;
  }

  addEventListener('keydown', onKeyDown);
  addEventListener('keydown', onLetterAfterGo, { capture: true });
  for (const event of early) {
    onLetterAfterGo(event);
    onKeyDown(event);
  }
  return () => {
    removeEventListener('keydown', onKeyDown);
    removeEventListener('keydown', onLetterAfterGo, { capture: true });
  };
}

function allowedPages() {
  return navigation.filter(({ access }) => access.every(can));
}

/** What the page, or its tab that is open, has a form for to make a new one, where the role may. */
function createsOn({ pathname, search }: Place) {
  const isHere = ({ path }: FeatureAction) => pathname === path || pathname.startsWith(`${path}/`);
  const isInTab = (action: FeatureAction) => action.search?.['tab'] === (search as { tab?: unknown }).tab;
  const here = actions.filter(
    (action) => Object.keys(action.search ?? {}).some(isForm) && isHere(action) && action.access.every(can),
  );
  return here.find(isInTab) ?? here.find((action) => action.search?.['tab'] === undefined);
}

/** Of the parts of an address, those that open a form. */
function isForm(part: string): boolean {
  return part === 'form' || /dialog$/i.test(part);
}

/** The newest that can be taken back, over a dialog as well: it stands there too. In a field the key takes back what was typed. */
function undoLast(target: EventTarget | null): boolean {
  const isText =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, input:not([type=checkbox], [type=radio])'));
  const offered = shownToasts.read().findLast(({ action }) => action?.isUndo);
  if (isText || !offered) return false;
  shownToasts.dismiss(offered.id);
  offered.action?.onSelect();
  return true;
}
