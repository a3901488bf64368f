import { createElement, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { lazyDetail } from '../../ui/load-file.ts';

export interface PartAhead<Props> {
  (props: Props): ReactNode;
  load: () => Promise<unknown>;
}

/**
 * A part of a page in a file of its own, as `lazyDetail`, that the page loads before it is drawn. Once `load` has brought it, it is drawn at
 * once: a lazy part shows its placeholder first, also where its file is there.
 */
export function partAhead<Props extends object>(load: () => Promise<ComponentType<Props>>): PartAhead<Props> {
  let Part: ComponentType<Props> | undefined;
  const bring = async () => (Part ??= await load());
  const Late = lazyDetail(bring);
  function PartOrPlace(props: Props) {
    // Chosen once: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => Part ?? Late);
    return createElement(Shown, props);
  }
  return Object.assign(PartOrPlace, { load: bring });
}
