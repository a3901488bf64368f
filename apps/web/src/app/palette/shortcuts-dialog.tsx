import { useLocation } from '@tanstack/react-router';
import { t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { pageShortcuts, type PageShortcut } from '../../shared/actions/page-shortcuts.ts';
import { markList } from '../../shared/writing/mark-list.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { firstKeys } from './first-keys.ts';
import { offeredKeys, offeredLetters } from './page-keys.ts';

const first: readonly PageShortcut[] = [
  ['palette.keys.palette', ['Ctrl / ⌘', firstKeys.palette.toUpperCase()]],
  ['palette.keys.verbs', ['→']],
  ['palette.keys.search', [firstKeys.search]],
  ['palette.keys.help', [firstKeys.help]],
];

/** What every list and everything that opens over a page understands. */
const ofLists: readonly PageShortcut[] = [
  ['palette.keys.rows', ['↑', '↓']],
  ['palette.keys.pages', ['PgUp', 'PgDn']],
  ['palette.keys.ends', ['Home', 'End']],
  ['palette.keys.select', ['Space']],
  ['palette.keys.range', ['Shift', '↑', '↓']],
  ['palette.keys.rangeTo', ['Shift', 'Space']],
  ['palette.keys.selectAll', ['Ctrl / ⌘', 'A']],
  ['palette.keys.open', ['Enter']],
  ['palette.keys.menu', ['Shift', 'F10']],
  ['palette.keys.close', ['Esc']],
];

/** Where a message is written. */
const ofWriting: readonly PageShortcut[] = markList.map(({ mark, keys }) => [
  `writing.mark.${mark}`,
  keys.replace('Ctrl', 'Ctrl / ⌘').split('+'),
]);

/** All keys that do something here: those of the page, of every page, and the way to each page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { pathname, search } = useLocation();
  return (
    <Dialog open onOpenChange={onClose} title={t('palette.keys.title')} size="large">
      <div className="gap-x-8 sm:columns-2">
        <Keys title="palette.keys.onPage" keys={pageShortcuts()} />
        <Keys title="palette.keys.everywhere" keys={[...first, ...offeredKeys({ pathname, search })]} />
        <Keys title="palette.keys.lists" keys={ofLists} />
        <Keys title="palette.keys.writing" keys={ofWriting} />
        <Keys title="palette.keys.goTo" keys={offeredLetters()} />
      </div>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: MessageKey; keys: readonly PageShortcut[] }) {
  if (keys.length === 0) return null;
  return (
    <section className="mb-4 break-inside-avoid">
      <h3 className="break-after-avoid text-sm font-medium text-muted">{t(title)}</h3>
      <dl>
        {keys.map(([label, pressed]) => (
          <div
            key={label}
            className="flex break-inside-avoid items-center justify-between gap-4 border-b border-border py-2 last:border-0"
          >
            <dt>{t(label)}</dt>
            <dd className="flex shrink-0 gap-1">
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
