import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A short explanation on hover and focus. Names of icon buttons come from `IconButton` itself. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger delay={350} render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner sideOffset={6} collisionPadding={8} className="layer-tooltip">
          <BaseTooltip.Popup className="popup max-w-72 px-2.5 py-1.5 text-sm">{text}</BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
