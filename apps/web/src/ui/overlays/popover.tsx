import { useLateTrigger } from './late-trigger.tsx';
import type { PopoverProps } from './popup-props.ts';

const CLOSED = { 'aria-haspopup': 'dialog', 'aria-expanded': false };

/** A window at a button. */
export function Popover(props: PopoverProps) {
  const { element, parts, adopted } = useLateTrigger(props.trigger, CLOSED, props.open, 'press');
  return (
    <>
      {element}
      {parts ? <parts.PopoverLayer {...props} trigger={adopted} /> : null}
    </>
  );
}
