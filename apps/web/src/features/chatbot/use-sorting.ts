import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { notify } from '../../ui/toast.ts';
import { chatbotError, flowsOptions, type BotFlow } from './chatbot-queries.ts';

export type Sorting = {
  begin(id: string): void;
  cancel(): void;
  onKey(event: KeyboardEvent, id: string): void;
};

/**
 * Changes priorities by dragging the handle of a card, or by the arrow keys on it. The order shows at once and is saved where the card is dropped; keys
 * that are pressed while an order is saved count, and the last order is saved next.
 */
export function useSorting(flows: readonly BotFlow[]): Sorting & {
  /** Around the cards. */
  area: (node: HTMLElement | null) => void;
  /** In the order in which they are shown now. */
  items: readonly BotFlow[];
} {
  const queryClient = useQueryClient();
  const order = useAction(orpc.chatbot.orderFlows.mutationOptions());
  const [node, setNode] = useState<HTMLElement | null>(null);
  const [dragged, setDragged] = useState<{ id: string; ids: readonly string[] }>();
  const [wanted, setWanted] = useState<readonly string[]>();
  const unsaved = useRef<readonly string[]>(null);
  const isSaving = useRef(false);
  const ids = dragged?.ids ?? wanted ?? flows.map(({ id }) => id);
  const items = ids
    .flatMap((id) => flows.find((flow) => flow.id === id) ?? [])
    .map((flow, place) => ({ ...flow, priority: place + 1 }));

  async function save(next: readonly string[], moved: string) {
    unsaved.current = next;
    setWanted(next);
    // The card has another place in the document now, and its handle would lose the focus.
    requestAnimationFrame(() => node?.querySelector<HTMLElement>(`[data-flow="${moved}"]`)?.focus());
    if (isSaving.current) return;
    isSaving.current = true;
    const name = flows.find(({ id }) => id === moved)?.name ?? '';
    try {
      while (unsaved.current !== null) {
        const saving: readonly string[] = unsaved.current;
        const saved = await order.mutateAsync({ botFlowIds: [...saving] });
        queryClient.setQueryData(flowsOptions.queryKey, saved);
        if (unsaved.current === saving) unsaved.current = null;
      }
      notify.success(t('chatbot.moved', { name }));
    } catch (error) {
      unsaved.current = null;
      notify.error(chatbotError(error));
      await queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
    }
    isSaving.current = false;
    setWanted(undefined);
  }

  useEffect(() => {
    if (!node || !dragged) return undefined;
    const over = (event: DragEvent) => {
      const card = (event.target as HTMLElement).closest('li');
      const target = card?.querySelector<HTMLElement>('[data-flow]')?.dataset['flow'];
      if (target === undefined) return;
      event.preventDefault();
      if (target === dragged.id) return;
      const to = dragged.ids.indexOf(target);
      const without = dragged.ids.filter((id) => id !== dragged.id);
      setDragged({ id: dragged.id, ids: without.toSpliced(to, 0, dragged.id) });
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setDragged(undefined);
      if (dragged.ids.some((id, place) => flows[place]?.id !== id)) void save(dragged.ids, dragged.id);
    };
    node.addEventListener('dragover', over);
    node.addEventListener('drop', drop);
    return () => {
      node.removeEventListener('dragover', over);
      node.removeEventListener('drop', drop);
    };
  });

  return {
    area: setNode,
    items,
    begin: (id) => setDragged({ id, ids: flows.map((flow) => flow.id) }),
    // A drop somewhere else changes nothing.
    cancel: () => setDragged(undefined),
    onKey(event, id) {
      const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const all = unsaved.current ?? flows.map((flow) => flow.id);
      const to = all.indexOf(id) + by;
      if (to < 0 || to >= all.length) return;
      void save(all.filter((one) => one !== id).toSpliced(to, 0, id), id);
    },
  };
}
