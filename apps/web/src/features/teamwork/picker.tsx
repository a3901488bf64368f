import {
  createContext,
  useContext,
  useEffect,
  useState,
  type ReactElement,
  type ReactNode,
  type RefObject,
} from 'react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';

export type PickerState = { isOpen: boolean; setOpen: (isOpen: boolean) => void };

/** Whether there is room for a button of its own; on a telephone the menu opens what is chosen from. */
export function useHasRoom(): boolean {
  return useMediaQuery('(min-width: 640px)');
}

const WIDE_HEAD = 480;

/** Whether the head of the chat has room for everything; beside an open panel it may have less than the window says. */
export const WideHead = createContext(true);

export function useIsWide(): boolean {
  const isWide = useContext(WideHead);
  return useHasRoom() && isWide;
}

/** Measures the head that an element stands in. */
export function useWideHead(inside: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(true);
  useEffect(() => {
    const head = inside.current?.closest('header');
    if (!head) return undefined;
    const observer = new ResizeObserver(() => setWide(head.clientWidth >= WIDE_HEAD));
    observer.observe(head);
    return () => observer.disconnect();
  }, [inside]);
  return isWide;
}

/** Something to choose from: below its button, and on a telephone in a dialog. */
export function Picker({
  title,
  trigger,
  isOpen,
  setOpen,
  needsWide = false,
  children,
}: PickerState & {
  title: string;
  trigger: ReactElement;
  /** It has a button only where there is room for everything. */
  needsWide?: boolean;
  children: ReactNode;
}) {
  const [isWide, hasButton] = [useIsWide(), useHasRoom()];
  const hasRoom = needsWide ? isWide : hasButton;
  if (!hasRoom)
    return (
      <Dialog open={isOpen} onOpenChange={setOpen} size="small" title={title}>
        {children}
      </Dialog>
    );
  return (
    <Popover open={isOpen} onOpenChange={setOpen} className="w-80 p-2" trigger={trigger}>
      {children}
    </Popover>
  );
}
