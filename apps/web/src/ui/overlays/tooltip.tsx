import type { ReactElement, ReactNode } from 'react';
import { useLateTrigger } from './late-trigger.tsx';

const CLOSED = {};

/** A short explanation on hover and focus. Names of icon buttons come from `IconButton` itself. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  const { element, parts, adopted } = useLateTrigger(children, CLOSED);
  return (
    <>
      {element}
      {parts ? <parts.TooltipLayer text={text} trigger={adopted} /> : null}
    </>
  );
}
