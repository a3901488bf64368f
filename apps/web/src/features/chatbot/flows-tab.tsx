import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  ArrowDown,
  ArrowUp,
  Bot,
  Download,
  EllipsisVertical,
  GripVertical,
  Pencil,
  Plus,
  Trash2,
  Workflow,
} from 'lucide-react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { formatCompact, formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { paths } from '../../shared/paths.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { Card, CardGrid, Panel } from '../../ui/page-frame.tsx';
import { CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { mayChangeFlow } from '../automation/flow-rights.ts';
import { chatbotError, flowsOptions, readChatbotSearch, type BotFlow } from './chatbot-queries.ts';
import { FlowStateBadge, FlowSwitch } from './flow-switch.tsx';
import { exportFlow } from './create/flow-files.ts';
import { isList } from './flow-values.ts';
import { useSorting, type Sorting } from './use-sorting.ts';

/** The flows, the one that is asked first at the beginning. */
export function FlowsTab() {
  const [, setUrl] = useUrlState(readChatbotSearch);
  const { data, error, isError, refetch } = useQuery(flowsOptions);
  const { area, items, ...sorting } = useSorting(data?.items ?? []);
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
      <div ref={area} className="contents">
        <CardGrid label={t('chatbot.tab.flows')}>
          {items.map((flow) => (
            <FlowCard key={flow.id} flow={flow} flows={data.items} sorting={sorting} />
          ))}
        </CardGrid>
      </div>
    </>
  );
}

function FlowCard({ flow, flows, sorting }: { flow: BotFlow; flows: readonly BotFlow[]; sorting: Sorting }) {
  const [, setUrl] = useUrlState(readChatbotSearch);
  const navigate = useNavigate();
  const actions = useFlowActions(flow, flows);
  const { name, description, triggers, responses, steps, priority, analytics } = flow;
  const keywords = splitKeywords(triggers.map(({ value }) => value).join('|'));
  const hasList = isList(flow);
  const entries: MenuEntry[] = [
    ...(can('campaigns:update')
      ? [
          {
            ...{ label: t('common.edit'), icon: <Pencil /> },
            onSelect: () =>
              hasList
                ? setUrl({ dialog: 'edit', flow: flow.id }, { push: true })
                : void navigate({ to: paths.botFlow(flow.id) }),
          },
        ]
      : []),
    ...(mayChangeFlow('update', flow)
      ? [
          {
            ...{ label: t('chatbot.openEditor'), icon: <Workflow /> },
            onSelect: () => void navigate({ to: paths.botFlow(flow.id) }),
          },
        ]
      : []),
    ...(can('campaigns:update')
      ? [
          ...(priority > 1
            ? [{ label: t('chatbot.moveUp'), icon: <ArrowUp />, onSelect: () => void actions.move(-1) }]
            : []),
          ...(priority < flows.length
            ? [{ label: t('chatbot.moveDown'), icon: <ArrowDown />, onSelect: () => void actions.move(1) }]
            : []),
        ]
      : []),
    {
      ...{ label: t('chatbot.export'), icon: <Download /> },
      onSelect: () =>
        void exportFlow(flow.id).catch((failure: unknown) => notify.error(chatbotError(failure))),
    },
    ...(mayChangeFlow('delete', flow)
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
      title={
        <Link to={paths.botFlow(flow.id)} className="hover:underline">
          <bdi>{name}</bdi>
        </Link>
      }
      badges={
        <>
          <FlowStateBadge flow={flow} />
          {triggers.map(({ type }, place) => (
            <Badge key={place}>{t(`chatbot.trigger.${type}`)}</Badge>
          ))}
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
          <span className="flex items-center gap-1 tabular-nums">
            {can('campaigns:update') && flows.length > 1 ? (
              <button
                type="button"
                draggable
                data-flow={flow.id}
                aria-label={t('chatbot.movePriority', { name, n: priority, count: flows.length })}
                title={t('chatbot.moveHint')}
                className="cursor-grab rounded p-1 text-muted hover:text-text focus-visible:outline-2 [&_svg]:size-4"
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move';
                  sorting.begin(flow.id);
                }}
                onDragEnd={() => sorting.cancel()}
                onKeyDown={(event) => sorting.onKey(event, flow.id)}
              >
                <GripVertical aria-hidden />
              </button>
            ) : null}
            {t('chatbot.priority', { n: priority })}
          </span>
          {flow.isPublished ? <FlowSwitch flow={flow} /> : null}
        </>
      }
    >
      {description ? <p className="mb-2 text-pretty text-muted">{description}</p> : null}
      <p dir="auto" className="line-clamp-2 text-sm wrap-anywhere">
        {keywords.length > 0
          ? formatList(keywords, 'or')
          : t(triggers.length > 0 ? 'chatbot.anyGreeting' : 'chatbot.anyWords')}
      </p>
      <p className="mt-1 text-sm text-muted">
        {responses === null
          ? t('chatbot.stepCount', { n: steps.length })
          : t('chatbot.responseCount', { n: responses.length })}
      </p>
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
