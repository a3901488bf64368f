import { lazy } from 'react';
import type { ComponentType, LazyExoticComponent } from 'react';
import { loadFile } from '../load-file.ts';

type Load<Props> = () => Promise<ComponentType<Props>>;
type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;
type Closes = { onClose: () => void };

/** What says that a dialog is not here: loaded before the connection goes. */
export const loadAwayDialog = () => import('./away-dialog.tsx');

/**
 * A dialog in a file of its own. Where that is not on this device and there is no connection, a dialog stands in its place that says so, closes as the
 * real one does (`close`, where that is not its `onClose`), and becomes it by itself once it can be had.
 */
export function lazyDialog<Props extends Closes>(load: Load<Props>): Lazy<Props>;
export function lazyDialog<Props extends object>(
  load: Load<Props>,
  close: (props: Props) => void,
): Lazy<Props>;
export function lazyDialog<Props extends Partial<Closes>>(
  load: Load<Props>,
  close: (props: Props) => void = ({ onClose }) => onClose?.(),
): Lazy<Props> {
  return lazy(async () => {
    const { promise: waits, resolve: wait } = Promise.withResolvers<undefined>();
    const loaded = loadFile(load, () => wait(undefined));
    const inTime = await Promise.race([loaded, waits]);
    return { default: inTime ?? (await loadFile(loadAwayDialog)).comingLater(loaded, close) };
  });
}
