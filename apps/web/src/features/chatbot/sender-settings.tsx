import { botLimits } from '@app/domain/chatbot/bot-settings';
import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { flowsOptions, type BotSettings } from './chatbot-queries.ts';

type Sender = BotSettings['senders'][number];

/** One bot answers at all senders. Where there are several, each can have flows and texts of its own, behind one press. */
export function SenderSettings({
  senders,
  onChange,
}: {
  senders: readonly Sender[];
  onChange: (senders: Sender[]) => void;
}) {
  const { data: channels } = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  const { data: flows } = useQuery(flowsOptions);
  if (!channels || channels.items.length < 2) return null;
  const set = (channelId: string, change: Partial<Sender>) => {
    const before = senders.find((sender) => sender.channelId === channelId) ?? asEverywhere(channelId);
    const next = { ...before, ...change };
    const others = senders.filter((sender) => sender.channelId !== channelId);
    // A sender with nothing of its own is not named.
    onChange(JSON.stringify(next) === JSON.stringify(asEverywhere(channelId)) ? others : [...others, next]);
  };
  return (
    <Panel title={t('chatbot.senders')}>
      <details className="max-w-2xl" open={senders.length > 0}>
        <summary className="cursor-pointer font-medium">
          {senders.length === 0 ? t('chatbot.oneForAll') : t('chatbot.sendersApart', { n: senders.length })}
        </summary>
        <ul className="mt-3 flex flex-col gap-5">
          {channels.items.map(({ id, kind, displayName }) => {
            const sender = senders.find(({ channelId }) => channelId === id) ?? asEverywhere(id);
            const { botFlowIds } = sender;
            return (
              <li
                key={id}
                className="flex flex-col gap-3 border-t border-border pt-4 first:border-t-0 first:pt-0"
              >
                <Switch
                  label={<bdi>{displayName ?? kind}</bdi>}
                  hint={t(sender.isEnabled ? 'chatbot.senderOn' : 'chatbot.senderOff')}
                  checked={sender.isEnabled}
                  onChange={(event) => set(id, { isEnabled: event.currentTarget.checked })}
                />
                {sender.isEnabled ? (
                  <details>
                    <summary className="cursor-pointer text-sm text-muted">{t('chatbot.senderMore')}</summary>
                    <div className="mt-3 flex flex-col gap-4">
                      <fieldset className="flex flex-col gap-2">
                        <legend className="mb-1 font-medium">{t('chatbot.tab.flows')}</legend>
                        <Checkbox
                          label={t('chatbot.allFlows')}
                          checked={botFlowIds === null}
                          onChange={(event) =>
                            set(id, { botFlowIds: event.currentTarget.checked ? null : [] })
                          }
                        />
                        {botFlowIds === null
                          ? null
                          : flows?.items.map((flow) => (
                              <Checkbox
                                key={flow.id}
                                label={<bdi>{flow.name}</bdi>}
                                checked={botFlowIds.includes(flow.id)}
                                onChange={(event) =>
                                  set(id, {
                                    botFlowIds: event.currentTarget.checked
                                      ? [...botFlowIds, flow.id]
                                      : botFlowIds.filter((other) => other !== flow.id),
                                  })
                                }
                              />
                            ))}
                      </fieldset>
                      {(['fallbackMessage', 'closedMessage', 'businessFacts'] as const).map((name) => (
                        <Field
                          key={name}
                          label={t(name === 'businessFacts' ? 'chatbot.facts' : `chatbot.${name}`)}
                          hint={t('chatbot.emptyAsAll')}
                        >
                          <Textarea
                            rows={2}
                            maxLength={name === 'businessFacts' ? botLimits.businessFacts : botLimits.message}
                            value={sender[name]}
                            onChange={(event) => set(id, { [name]: event.currentTarget.value })}
                          />
                        </Field>
                      ))}
                    </div>
                  </details>
                ) : null}
              </li>
            );
          })}
        </ul>
      </details>
    </Panel>
  );
}

function asEverywhere(channelId: string): Sender {
  return {
    ...{ channelId, isEnabled: true, botFlowIds: null },
    ...{ fallbackMessage: '', closedMessage: '', businessFacts: '' },
  };
}
