import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { notify } from '../../ui/toast.ts';
import { chatbotError, flowsOptions, settingsOptions, type BotFlow } from './chatbot-queries.ts';

type Shown = Pick<BotFlow, 'id' | 'name' | 'isActive' | 'isPublished' | 'hasChanges'>;

/** Whether the flow answers, and whether its draft is another one than what customers get. */
export function FlowStateBadge({ flow: { isActive, isPublished, hasChanges } }: { flow: Shown }) {
  return (
    <>
      <Badge dot tone={isActive ? 'success' : 'neutral'}>
        {t(isActive ? 'chatbot.flowActive' : isPublished ? 'chatbot.flowPaused' : 'chatbot.flowDraft')}
      </Badge>
      {isPublished && hasChanges ? <Badge tone="warning">{t('chatbot.flowChanged')}</Badge> : null}
    </>
  );
}

/** Activates or pauses a flow; nothing for those who may not. */
export function FlowSwitch({ flow: { id, name, isActive } }: { flow: Shown }) {
  const queryClient = useQueryClient();
  const isBotOn = useQuery(settingsOptions).data?.isEnabled;
  const setActive = useAction(orpc.chatbot.setFlowActive.mutationOptions());
  if (!can('campaigns:update') || !can('messages:create')) return null;

  async function toggle() {
    try {
      await setActive.mutateAsync({ botFlowId: id, isActive: !isActive });
      if (isActive) notify.success(t('chatbot.nowPaused', { name }));
      else notify.success(t(isBotOn === false ? 'chatbot.nowReady' : 'chatbot.nowActive', { name }));
    } catch (error) {
      notify.error(chatbotError(error));
    }
    await queryClient.invalidateQueries({ queryKey: flowsOptions.queryKey });
  }

  return (
    <Switch
      label={t('chatbot.switch', { name })}
      hideLabel
      checked={isActive}
      disabled={setActive.isPending}
      onChange={() => void toggle()}
    />
  );
}
