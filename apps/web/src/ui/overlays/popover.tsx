import { Popover as BasePopover } from '@base-ui/react/popover';
import { useId, type ReactElement, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';

export interface PopoverProps {
  trigger: ReactElement;
  /** Without one it has the name of its trigger. */
  title?: ReactNode;
  align?: 'start' | 'center' | 'end' | undefined;
  open?: boolean | undefined;
  onOpenChange?: ((open: boolean) => void) | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Popover({
  trigger,
  title,
  align = 'end',
  open,
  onOpenChange,
  className,
  children,
}: PopoverProps) {
  const triggerId = useId();
  return (
    <BasePopover.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange: (next: boolean) => onOpenChange(next) } : {})}
    >
      <BasePopover.Trigger id={triggerId} render={trigger} />
      <BasePopover.Portal>
        <BasePopover.Positioner
          sideOffset={6}
          align={align}
          collisionPadding={8}
          className="layer-popup outline-none"
        >
          <BasePopover.Popup
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
