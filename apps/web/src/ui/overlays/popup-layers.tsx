import { CSPProvider } from '@base-ui/react/csp-provider';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { Select as BaseSelect } from '@base-ui/react/select';
import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import { Check } from 'lucide-react';
import { useId, type MouseEvent, type ReactElement, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { showFocusGuards } from './focus-guards.ts';
import { keepAtDoubleClick, useOpenAfterPaint } from './open-after-paint.ts';
import {
  itemStyle,
  popupPlace,
  type MenuAction,
  type MenuProps,
  type PopoverProps,
  type SelectOption,
  type SelectProps,
} from './popup-props.ts';

// Everything that opens above the page, in one file that comes after the first paint (`late-trigger.tsx`).

export { ModalLayer } from './modal-layer.tsx';

/** A popup fades away for a moment, and the second half of a double click must do nothing there once more. */
const pressedOnce = {
  onClickCapture(event: MouseEvent<HTMLElement>) {
    if (event.currentTarget.hasAttribute('data-closed')) event.stopPropagation();
  },
};

export function MenuLayer({ trigger, entries, align = 'end', finalFocus, open, onOpenChange }: MenuProps) {
  const { lit, ...opening } = useOpenAfterPaint(open, onOpenChange);
  return (
    <BaseMenu.Root modal={false} {...opening}>
      <BaseMenu.Trigger render={trigger} {...lit} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner {...popupPlace} align={align}>
          <BaseMenu.Popup
            ref={showFocusGuards}
            {...pressedOnce}
            finalFocus={finalFocus}
            className="popup max-h-(--available-height) max-w-80 min-w-44 overflow-y-auto p-1"
          >
            <MenuItems entries={entries} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** What they are is asked when the menu opens. */
function MenuItems({ entries }: Pick<MenuProps, 'entries'>) {
  const shown = typeof entries === 'function' ? entries() : entries;
  return shown.map((entry, index) =>
    entry === 'separator' ? (
      <BaseMenu.Separator key={`separator-${index}`} className="my-1 h-px bg-border" />
    ) : (
      <MenuItem key={`${index} ${entry.label}`} entry={entry} />
    ),
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

export function PopoverLayer({
  trigger,
  title,
  align = 'end',
  open,
  onOpenChange,
  finalFocus,
  className,
  children,
}: PopoverProps) {
  const triggerId = useId();
  const { lit, ...opening } = useOpenAfterPaint(open, onOpenChange);
  return (
    <BasePopover.Root {...opening}>
      <BasePopover.Trigger id={triggerId} render={trigger} {...lit} />
      <BasePopover.Portal>
        <BasePopover.Positioner {...popupPlace} align={align}>
          <BasePopover.Popup
            {...pressedOnce}
            finalFocus={finalFocus}
            {...(title ? {} : { 'aria-labelledby': triggerId })}
            className={classNames('popup max-w-[calc(100vw-1rem)] min-w-56 p-4', className)}
          >
            {title ? <BasePopover.Title className="mb-2 font-semibold">{title}</BasePopover.Title> : null}
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}

export function TooltipLayer({ text, trigger }: { text: ReactNode; trigger: ReactElement }) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger delay={350} render={trigger} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner sideOffset={6} collisionPadding={8} className="layer-tooltip">
          <BaseTooltip.Popup className="popup max-w-72 px-2.5 py-1.5 text-sm">{text}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}

export function SelectLayer<Value extends string>({
  trigger,
  id,
  value,
  onChange,
  options,
  disabled = false,
}: SelectProps<Value> & { trigger: ReactElement; id: string | undefined }) {
  return (
    <BaseSelect.Root<Value>
      items={[...options]}
      value={value}
      disabled={disabled}
      modal={false}
      onOpenChange={keepAtDoubleClick}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <BaseSelect.Trigger id={id} render={trigger} />
      {/* The content policy refuses style elements; the one of Base UI only hides a scrollbar that we do not have. */}
      <CSPProvider disableStyleElements>
        <SelectPopup options={options} />
      </CSPProvider>
    </BaseSelect.Root>
  );
}

function SelectPopup({ options }: { options: readonly SelectOption[] }) {
  return (
    <BaseSelect.Portal>
      <BaseSelect.Positioner
        {...popupPlace}
        alignItemWithTrigger={false}
        className={`${popupPlace.className} select-none`}
      >
        <BaseSelect.Popup className="popup min-w-[max(var(--anchor-width),10rem)]">
          <BaseSelect.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1">
            {options.map((option) => (
              <BaseSelect.Item
                key={option.value}
                value={option.value}
                disabled={option.disabled === true}
                className={itemStyle}
              >
                {option.icon}
                <BaseSelect.ItemText className="min-w-0 flex-1 truncate">{option.label}</BaseSelect.ItemText>
                {option.hint ? <span className="text-sm text-muted">{option.hint}</span> : null}
                <BaseSelect.ItemIndicator>
                  <Check aria-hidden className="size-4 text-primary-text" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.List>
        </BaseSelect.Popup>
      </BaseSelect.Positioner>
    </BaseSelect.Portal>
  );
}
