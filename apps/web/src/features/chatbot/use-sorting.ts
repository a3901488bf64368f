import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type KeyboardEvent } from 'react';
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

/** Changes priorities by dragging the handle of a card, or by the arrow keys on it. The order is saved once, where the card is dropped. */
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
  const ids = dragged?.ids ?? flows.map(({ id }) => id);
  const items = ids.flatMap((id) => flows.find((flow) => flow.id === id) ?? []);

  async function save(next: readonly string[], moved: string) {
    const name = flows.find(({ id }) => id === moved)?.name ?? '';
    try {
      const saved = await order.mutateAsync({ botFlowIds: [...next] });
      queryClient.setQueryData(flowsOptions.queryKey, saved);
      // The card has another place in the document now, and its handle would lose the focus.
      requestAnimationFrame(() => node?.querySelector<HTMLElement>(`[data-flow="${moved}"]`)?.focus());
      notify.success(t('chatbot.moved', { name }));
    } catch (error) {
      notify.error(chatbotError(error));
      await queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
    }
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
      const all = flows.map((flow) => flow.id);
      const to = all.indexOf(id) + by;
      if (to < 0 || to >= all.length || order.isPending) return;
      void save(all.filter((one) => one !== id).toSpliced(to, 0, id), id);
    },
  };
}
