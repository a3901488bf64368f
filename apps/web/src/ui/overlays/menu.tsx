import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { showFocusGuards } from './focus-guards.ts';

export interface MenuAction {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** Says under the label why it is disabled, or what it does. */
  hint?: string | undefined;
  shortcut?: string | undefined;
  /** The menu stays open, and has more or others afterwards. */
  keepsOpen?: boolean | undefined;
  /** Shows a tick: the entry is a choice that is on. */
  checked?: boolean | undefined;
}

export type MenuEntry = MenuAction | 'separator';

export interface MenuProps {
  /** The button that opens it, such as an `IconButton`. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  align?: 'start' | 'end' | undefined;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Asked when it closes; `false` where an entry takes the focus elsewhere. Otherwise it goes back to the trigger. */
  finalFocus?: (() => boolean) | undefined;
}

export const itemStyle =
  'flex min-h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 py-1.5 text-base outline-none select-none data-disabled:opacity-50 data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted';

export function Menu({ trigger, entries, align = 'end', finalFocus, ...root }: MenuProps) {
  return (
    <BaseMenu.Root modal={false} {...root}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner
          sideOffset={6}
          align={align}
          collisionPadding={8}
          className="layer-popup outline-none"
        >
          <BaseMenu.Popup
            ref={showFocusGuards}
            finalFocus={finalFocus}
            className="popup max-h-(--available-height) max-w-80 min-w-44 overflow-y-auto p-1"
          >
            {entries.map((entry, index) =>
              entry === 'separator' ? (
                <BaseMenu.Separator key={`separator-${index}`} className="my-1 h-px bg-border" />
              ) : (
                <MenuItem key={`${index} ${entry.label}`} entry={entry} />
              ),
            )}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function MenuItem({ entry }: { entry: MenuAction }) {
  return (
    <BaseMenu.Item
      disabled={entry.disabled === true}
      closeOnClick={entry.keepsOpen !== true}
      onClick={entry.onSelect}
      className={classNames(
        itemStyle,
        entry.danger && 'text-danger data-highlighted:bg-danger-soft [&>svg]:text-current!',
      )}
    >
      {entry.icon}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {entry.label}
        </span>
        {entry.hint ? <span className="block text-sm text-muted">{entry.hint}</span> : null}
      </span>
      {entry.checked ? <Check aria-hidden className="text-primary-text!" /> : null}
      {entry.shortcut ? <span className="text-xs text-muted">{entry.shortcut}</span> : null}
    </BaseMenu.Item>
  );
}
