import { useLateTrigger } from './late-trigger.tsx';
import type { MenuProps } from './popup-props.ts';

export type { MenuAction, MenuEntry, MenuProps } from './popup-props.ts';

const CLOSED = { 'aria-haspopup': 'menu', 'aria-expanded': false };

/** A list of actions at a button. */
export function Menu(props: MenuProps) {
  const { element, parts, adopted } = useLateTrigger(props.trigger, CLOSED, props.open, 'press');
  return (
    <>
      {element}
      {parts ? <parts.MenuLayer {...props} trigger={adopted} /> : null}
    </>
  );
}
