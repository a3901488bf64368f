import { t } from '../../shared/messages.ts';
import type { MessageKey } from '../../shared/messages.ts';
import { pageShortcuts } from '../../shared/acts/page-shortcuts.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';

const shortcuts: readonly [MessageKey, readonly string[]][] = [
  ['palette.keys.palette', ['Ctrl / ⌘', 'K']],
  ['palette.keys.search', ['/']],
  ['palette.keys.help', ['?']],
  ['palette.keys.rows', ['↑', '↓']],
  ['palette.keys.select', ['Space']],
  ['palette.keys.open', ['Enter']],
  ['palette.keys.menu', ['Shift', 'F10']],
  ['palette.keys.close', ['Esc']],
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onOpenChange={onClose} title={t('palette.keys.title')} size="small">
      <dl className="flex flex-col">
        {[...shortcuts, ...pageShortcuts()].map(([label, keys]) => (
          <div
            key={label}
            className="flex items-center justify-between gap-4 border-b border-border py-2.5 last:border-0"
          >
            <dt>{t(label)}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
