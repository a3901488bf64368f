import type { AssistTask } from '@app/domain/chatbot/model/assist-prompt';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  Languages,
  LoaderCircle,
  MessageSquareText,
  Plug,
  ScrollText,
  Sparkles,
  WandSparkles,
} from 'lucide-react';
import { Suspense, useState, type ReactNode, type RefObject } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import type { Conversation } from '../../../shared/conversations/conversations-queries.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { activeLocale, t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { editField } from '../../../shared/writing/edit-field.ts';
import { IconButton } from '../../../ui/button.tsx';
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx';
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx';
import { notify } from '../../../ui/toast.ts';
import type { Asked, AssistResult } from './assist-result.ts';

const AssistDialog = lazyDialog(async () => (await import('./assist-dialog.tsx')).AssistDialog);
const aiOptions = orpc.botAi.get.queryOptions({ input: {}, staleTime: 60_000 });

/**
 * The AI model writes for the agent. What it writes stands in the field, where it can be undone and is sent by the agent alone. Without a model nothing
 * is shown, except to people who may connect one.
 */
export function AssistButton({
  conversation: { id: conversationId },
  field,
  isOn,
  hasText,
}: {
  conversation: Conversation;
  field: RefObject<HTMLTextAreaElement | null>;
  /** Nothing can be written while it is off; the conversation can still be read. */
  isOn: boolean;
  hasText: boolean;
}) {
  const { data } = useQuery(aiOptions);
  const hasModel = data?.connection?.isEnabled === true;
  const isShown = hasModel || (data !== undefined && can('settings:manage'));
  const hasWords = useMessages('chatbot', isShown);
  const navigate = useNavigate();
  const [result, setResult] = useState<AssistResult | null>(null);
  const ask = useAction({
    mutationFn: ({ task, text }: Asked) =>
      api.agentAi.write({ conversationId, task, text, language: activeLocale() }),
    onSuccess({ text: answer, problem }, asked) {
      if (answer === null) notify.error(sentenceOf(problem));
      else if (asked.task === 'summarize' || asked.task === 'translate_last') setResult({ ...asked, answer });
      // The agent went on writing: their words are not replaced.
      else if (field.current && field.current.value.trim() !== asked.text) setResult({ ...asked, answer });
      else insert(answer);
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  if (!isShown || !hasWords) return null;

  function insert(answer: string) {
    const area = field.current;
    // The agent went to another conversation.
    if (!area) return;
    const before = area.value;
    const write = (text: string) => editField(area, { text, start: text.length, end: text.length });
    if (before === answer) {
      notify.info(t('chatbot.assist.same'));
      return;
    }
    write(answer);
    notify.success(t('chatbot.assist.inserted'), {
      action: { label: t('common.undo'), onSelect: () => write(before), isUndo: true },
    });
  }

  const entry = (task: AssistTask, icon: ReactNode, disabled: boolean): MenuEntry => ({
    ...{ label: t(`chatbot.assist.task.${task}`), icon, disabled },
    onSelect: () => ask.mutate({ task, text: field.current?.value.trim() ?? '' }),
  });
  const entries: MenuEntry[] = hasModel
    ? [
        entry('suggest', <MessageSquareText />, !isOn),
        'separator',
        ...(['friendlier', 'shorter', 'formal', 'spelling'] as const).map((task) =>
          entry(task, <WandSparkles />, !isOn || !hasText),
        ),
        'separator',
        entry('to_customer', <Languages />, !isOn || !hasText),
        entry('to_agent', <Languages />, !isOn || !hasText),
        entry('translate_last', <Languages />, false),
        'separator',
        entry('summarize', <ScrollText />, false),
      ]
    : [
        {
          ...{ label: t('chatbot.ai.connect'), icon: <Plug />, hint: t('chatbot.assist.needsModel') },
          onSelect: () => void navigate({ to: paths.chatbot, search: { tab: 'settings' } }),
        },
      ];
  return (
    <>
      <Menu
        align="start"
        trigger={
          <IconButton
            label={t(ask.isPending ? 'chatbot.assist.working' : 'chatbot.assist.open')}
            disabled={ask.isPending}
            aria-busy={ask.isPending || undefined}
          >
            {ask.isPending ? <LoaderCircle aria-hidden className="animate-spin" /> : <Sparkles aria-hidden />}
          </IconButton>
        }
        entries={entries}
      />
      <Suspense>
        {result ? (
          <AssistDialog
            {...{ conversationId, result }}
            onInsert={
              isOn
                ? () => {
                    setResult(null);
                    insert(result.answer);
                  }
                : undefined
            }
            onClose={() => setResult(null)}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function sentenceOf(problem: Awaited<ReturnType<typeof api.agentAi.write>>['problem']): string {
  switch (problem) {
    case null:
      return t('common.error.internal');
    case 'not_connected':
    case 'budget':
    case 'nothing_said':
      return t(`chatbot.assist.problem.${problem}`);
    default:
      return t(`chatbot.ai.problem.${problem}`);
  }
}
