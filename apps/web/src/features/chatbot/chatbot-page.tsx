import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { loadMessages, t } from '../../shared/messages.ts';
import { can, useSession } from '../../shared/session.ts';
import { useUrlState } from '../../shared/url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/load-file.ts';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { ConversationsTab } from './conversations-tab.tsx';
import { chatbotError, chatbotTabs, readChatbotSearch, settingsOptions } from './chatbot-queries.ts';

const FlowsTab = lazyPart(async () => (await import('./flows-tab.tsx')).FlowsTab);
const SettingsTab = lazyPart(async () => (await import('./settings-tab.tsx')).SettingsTab);
const AnalyticsTab = lazyPart(async () => (await import('./analytics/analytics-tab.tsx')).AnalyticsTab);
const FlowDialog = lazyDialog(async () => (await import('./flow-dialog.tsx')).FlowDialog);
const CreateFlowDialog = lazyDialog(async () => {
  await loadMessages('bot-flows', 'automation');
  return (await import('./create/create-flow-dialog.tsx')).CreateFlowDialog;
});

/** The bot: what it says to whom, its flows, and how it answers. */
export function ChatbotPage() {
  // What the signed-in person may do can change while the page is open.
  useSession();
  const [{ tab, dialog, flow, words }, setUrl] = useUrlState(readChatbotSearch);
  const offered = chatbotTabs.filter(
    (value) =>
      (!['conversations', 'analytics'].includes(value) || can('contacts:read')) &&
      (value !== 'flows' || can('campaigns:read')),
  );
  const closeDialog = () => setUrl({ dialog: undefined, flow: undefined, words: undefined });
  const shown = offered.includes(tab) ? tab : (offered[0] ?? 'settings');
  return (
    <PageFrame
      title={t('chatbot.title')}
      purpose={t('chatbot.purpose')}
      actions={
        <>
          <BotState />
          {can('campaigns:create') ? (
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setUrl({ tab: 'flows', dialog: 'new' }, { push: true })}
            >
              {t('chatbot.createFlow')}
            </Button>
          ) : null}
        </>
      }
    >
      <Tabs
        label={t('chatbot.tabs')}
        value={shown}
        // What is open belongs to its tab.
        onChange={(next) =>
          setUrl({
            tab: next === 'conversations' ? undefined : next,
            ...{ status: undefined, conversation: undefined, dialog: undefined, flow: undefined },
            ...{ words: undefined, days: undefined },
          })
        }
        tabs={offered.map((value) => ({ value, label: t(`chatbot.tab.${value}`) }))}
      >
        <Suspense fallback={<Skeleton className="h-64" />}>
          {shown === 'conversations' ? <ConversationsTab /> : null}
          {shown === 'flows' ? <FlowsTab /> : null}
          {shown === 'analytics' ? <AnalyticsTab /> : null}
          {shown === 'settings' ? <SettingsTab /> : null}
        </Suspense>
      </Tabs>
      {dialog === 'new' || dialog === 'edit' ? (
        <Suspense>
          {dialog === 'new' ? (
            <CreateFlowDialog words={words} onClose={closeDialog} />
          ) : (
            <FlowDialog flowId={flow} onClose={closeDialog} />
          )}
        </Suspense>
      ) : null}
    </PageFrame>
  );
}

/** Whether it answers, and the way to change that. */
function BotState() {
  const { data } = useQuery(settingsOptions);
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const update = useAction(orpc.chatbot.updateSettings.mutationOptions());
  if (!data) return <Skeleton className="h-8 w-28" />;
  const { isEnabled, version } = data;

  async function change() {
    const isSure = await confirm({
      title: t(isEnabled ? 'chatbot.turnOffQuestion' : 'chatbot.turnOnQuestion'),
      text: t(isEnabled ? 'chatbot.turnOffText' : 'chatbot.turnOnText'),
      confirmLabel: t(isEnabled ? 'chatbot.turnOff' : 'chatbot.turnOn'),
      danger: isEnabled,
    });
    if (!isSure) return;
    try {
      const saved = await update.mutateAsync({ isEnabled: !isEnabled, version });
      queryClient.setQueryData(settingsOptions.queryKey, saved);
      notify.success(t(saved.isEnabled ? 'chatbot.turnedOn' : 'chatbot.turnedOff'));
    } catch (error) {
      notify.error(chatbotError(error));
      await queryClient.invalidateQueries({ queryKey: settingsOptions.queryKey });
    }
  }

  return (
    <>
      <Badge dot tone={isEnabled ? 'success' : 'neutral'}>
        {t(isEnabled ? 'chatbot.active' : 'chatbot.inactive')}
      </Badge>
      {mayChangeBot() ? (
        <Button loading={update.isPending} onClick={() => void change()}>
          {t(isEnabled ? 'chatbot.turnOff' : 'chatbot.turnOn')}
        </Button>
      ) : null}
    </>
  );
}

function mayChangeBot(): boolean {
  return can('campaigns:update') && can('messages:create');
}
