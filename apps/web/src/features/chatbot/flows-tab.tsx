import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, Bot, EllipsisVertical, Pencil, Plus, Trash2 } from 'lucide-react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { formatCompact, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { Card, CardGrid, Panel } from '../../ui/page-frame.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { chatbotError, flowsOptions, readChatbotSearch, type BotFlow } from './chatbot-queries.ts';

/** The flows, the one that is asked first at the beginning. */
export function FlowsTab() {
  const [, setUrl] = useUrlState(readChatbotSearch);
  const { data, error, isError, refetch } = useQuery(flowsOptions);
  if (!data)
    return isError ? (
      <Panel>
        <ErrorState text={chatbotError(error)} onRetry={() => void refetch()} />
      </Panel>
    ) : (
      <CardGridSkeleton count={3} />
    );
  if (data.items.length === 0)
    return (
      <Panel>
        <EmptyState
          icon={<Bot />}
          title={t('chatbot.noFlows')}
          text={t('chatbot.noFlowsText')}
          action={
            can('campaigns:create') ? (
              <Button
                variant="primary"
                icon={<Plus aria-hidden />}
                onClick={() => setUrl({ dialog: 'new' }, { push: true })}
              >
                {t('chatbot.createFlow')}
              </Button>
            ) : undefined
          }
        />
      </Panel>
    );
  return (
    <>
      <p className="mb-3 text-sm text-muted">{t('chatbot.orderHint')}</p>
      <CardGrid label={t('chatbot.tab.flows')}>
        {data.items.map((flow) => (
          <FlowCard key={flow.id} flow={flow} flows={data.items} />
        ))}
      </CardGrid>
    </>
  );
}

function FlowCard({ flow, flows }: { flow: BotFlow; flows: readonly BotFlow[] }) {
  const [, setUrl] = useUrlState(readChatbotSearch);
  const actions = useFlowActions(flow, flows);
  const { name, description, trigger, responses, isActive, priority, analytics } = flow;
  const keywords = splitKeywords(trigger.value);
  const entries: MenuEntry[] = [
    ...(can('campaigns:update')
      ? [
          {
            ...{ label: t('common.edit'), icon: <Pencil /> },
            onSelect: () => setUrl({ dialog: 'edit', flow: flow.id }, { push: true }),
          },
          ...(priority > 1
            ? [{ label: t('chatbot.moveUp'), icon: <ArrowUp />, onSelect: () => void actions.move(-1) }]
            : []),
          ...(priority < flows.length
            ? [{ label: t('chatbot.moveDown'), icon: <ArrowDown />, onSelect: () => void actions.move(1) }]
            : []),
        ]
      : []),
    ...(can('campaigns:delete')
      ? [
          'separator' as const,
          {
            ...{ label: t('common.delete'), icon: <Trash2 />, danger: true },
            onSelect: () => void actions.remove(),
          },
        ]
      : []),
  ];
  return (
    <Card
      title={<bdi>{name}</bdi>}
      badges={
        <>
          <Badge dot tone={isActive ? 'success' : 'neutral'}>
            {t(isActive ? 'chatbot.flowActive' : 'chatbot.flowPaused')}
          </Badge>
          <Badge>{t(`chatbot.trigger.${trigger.type}`)}</Badge>
        </>
      }
      menu={
        entries.length > 0 ? (
          <Menu
            trigger={
              <IconButton label={t('chatbot.actionsOf', { name })}>
                <EllipsisVertical aria-hidden />
              </IconButton>
            }
            entries={entries}
          />
        ) : undefined
      }
      footer={
        <>
          <span className="tabular-nums">{t('chatbot.priority', { n: priority })}</span>
          {can('campaigns:update') && can('messages:create') ? (
            <Switch
              label={t('chatbot.switch', { name })}
              hideLabel
              checked={isActive}
              disabled={actions.isSwitching}
              onChange={() => void actions.toggle()}
            />
          ) : null}
        </>
      }
    >
      {description ? <p className="mb-2 text-pretty text-muted">{description}</p> : null}
      <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere">
        {keywords.length > 0 ? formatList(keywords, 'or') : t('chatbot.anyGreeting')}
      </p>
      <p className="mt-1 text-sm text-muted">{t('chatbot.responseCount', { n: responses.length })}</p>
      <dl className="mt-3 grid grid-cols-3 gap-2 text-sm">
        {(['triggered', 'completed', 'handoffs'] as const).map((figure) => (
          <div key={figure}>
            <dt className="truncate text-muted">{t(`chatbot.figure.${figure}`)}</dt>
            <dd className="font-semibold tabular-nums">{formatCompact(analytics[figure])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function useFlowActions(flow: BotFlow, flows: readonly BotFlow[]) {
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const setActive = useAction(orpc.chatbot.setFlowActive.mutationOptions());
  const order = useAction(orpc.chatbot.orderFlows.mutationOptions());
  const remove = useAction(orpc.chatbot.deleteFlow.mutationOptions());

  /** What was done shows with what the server has now, whether it came off or not. */
  async function act(done: string, perform: () => Promise<unknown>) {
    try {
      await perform();
      notify.success(done);
    } catch (error) {
      notify.error(chatbotError(error));
    }
    await queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
  }

  return {
    isSwitching: setActive.isPending,
    toggle: () =>
      act(t(flow.isActive ? 'chatbot.nowPaused' : 'chatbot.nowActive', { name: flow.name }), () =>
        setActive.mutateAsync({ botFlowId: flow.id, isActive: !flow.isActive }),
      ),
    move: (by: -1 | 1) => {
      const ids = flows.map(({ id }) => id).filter((id) => id !== flow.id);
      ids.splice(flow.priority - 1 + by, 0, flow.id);
      return act(t('chatbot.moved', { name: flow.name }), () => order.mutateAsync({ botFlowIds: ids }));
    },
    remove: async () => {
      const isSure = await confirm({
        title: t('chatbot.deleteQuestion'),
        text: t('chatbot.deleteText', { name: flow.name }),
        confirmLabel: t('common.delete'),
        danger: true,
      });
      if (isSure) await act(t('chatbot.deleted'), () => remove.mutateAsync({ botFlowId: flow.id }));
    },
  };
}
