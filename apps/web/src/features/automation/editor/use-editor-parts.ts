import { useEffect, useRef, useState } from 'react';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { useWindowRisks } from '../window-warnings.ts';
import type { EditorParts, EditorProps } from './editor-parts.ts';
import { cardElementId } from './editor-card.tsx';
import { useReferenceNames } from './flow-summary.ts';
import { useHooks } from './hook-address.tsx';

/** What list and canvas share: names, fields and samples that the steps speak of, and which items are open. */
export function useEditorParts(props: EditorProps): EditorParts {
  const { flow } = props;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const wantsFocus = useRef<string | null>(null);
  useEffect(() => {
    const id = wantsFocus.current;
    if (id === null) return;
    wantsFocus.current = null;
    const card = document.getElementById(cardElementId(id));
    card?.focus({ preventScroll: true });
    card?.parentElement?.parentElement?.scrollIntoView({ block: 'nearest' });
  }, [flow]);
  const hooks = useHooks(
    props.workflowId,
    flow.triggers.some(({ type }) => type === 'webhook'),
  );
  return {
    ...props,
    names: useReferenceNames(flow),
    risks: useWindowRisks(flow),
    fields: useCustomFields() ?? [],
    samples: (hooks.data?.items ?? []).map(({ sample }) => sample),
    focusOn: (id) => (wantsFocus.current = id),
    isOpen: (id) => opened.has(id),
    setOpen: (id, open) =>
      setOpened((now) => new Set(open ? [...now, id] : [...now].filter((one) => one !== id))),
  };
}
