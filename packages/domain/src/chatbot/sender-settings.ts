import type { BotSettings } from './bot-settings.ts';

/** The settings as they hold for messages to one sender. A sender that is not named has those of all. */
export function settingsOfSender<Settings extends BotSettings>(
  settings: Settings,
  channelId: string,
): Settings {
  const own = settings.senders.find((sender) => sender.channelId === channelId);
  if (!own) return settings;
  return {
    ...settings,
    isEnabled: settings.isEnabled && own.isEnabled,
    fallbackMessage: own.fallbackMessage.trim() || settings.fallbackMessage,
    closedMessage: own.closedMessage.trim() || settings.closedMessage,
    businessFacts: own.businessFacts.trim() || settings.businessFacts,
  };
}

/** The flows that answer messages to one sender, in their order. */
export function flowsOfSender<Flow extends { id: string }>(
  { senders }: Pick<BotSettings, 'senders'>,
  channelId: string,
  flows: readonly Flow[],
): readonly Flow[] {
  const ids = senders.find((sender) => sender.channelId === channelId)?.botFlowIds ?? null;
  return ids === null ? flows : flows.filter(({ id }) => ids.includes(id));
}
