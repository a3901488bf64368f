import type { ReactElement, ReactNode } from 'react';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { useMediaQuery } from '../../ui/use-media-query.ts';

export type PickerState = { isOpen: boolean; setOpen: (isOpen: boolean) => void };

/** Whether there is room for a button of its own; on a telephone the menu opens what is chosen from. */
export function useHasRoom(): boolean {
  return useMediaQuery('(min-width: 640px)');
}

/** Something to choose from: below its button, and on a telephone in a dialog. */
export function Picker({
  title,
  trigger,
  isOpen,
  setOpen,
  children,
}: PickerState & { title: string; trigger: ReactElement; children: ReactNode }) {
  const hasRoom = useHasRoom();
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
