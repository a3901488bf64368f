import { botLimits } from '@app/domain/chatbot/bot-settings';
import { handoffWords } from '@app/domain/chatbot/built-in-answers';
import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormState } from '../../shared/actions/form-state.tsx';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { useVersionedForm } from '../../shared/actions/use-versioned-form.ts';
import { api, orpc } from '../../shared/api.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { AiConnection } from './ai/ai-connection.tsx';
import { findHandoffProblem, HandoffSettings } from './handoff-settings.tsx';
import { KnowledgePanel } from './knowledge/knowledge-panel.tsx';
import { ModelSettings } from './ai/model-settings.tsx';
import { SenderSettings } from './sender-settings.tsx';
import { chatbotError, settingsOptions, type BotSettings } from './chatbot-queries.ts';

/** How the bot answers. */
export function SettingsTab() {
  const { data, error, refetch } = useQuery(settingsOptions);
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <KnowledgePanel />
      <SettingsForm saved={data} />
    </div>
  );
}

/** Keywords as they are typed: a comma at the end is no keyword yet. */
type Values = BotSettings & { keywords: string };

const valuesOf = (saved: BotSettings): Values => ({ ...saved, keywords: saved.handoffKeywords.join(', ') });

function SettingsForm({ saved }: { saved: BotSettings }) {
  const queryClient = useQueryClient();
  const form = useVersionedForm({
    ...{ saved, valuesOf },
    async onSave({ keywords, ...rest }) {
      const kept = await api.chatbot.updateSettings({
        ...rest,
        handoffKeywords: splitKeywords(keywords, ','),
      });
      queryClient.setQueryData(settingsOptions.queryKey, kept);
      return kept;
    },
    onReadAnew: () => queryClient.fetchQuery({ ...settingsOptions, staleTime: 0 }),
    savedText: () => t('chatbot.settingsSaved'),
    conflictCode: 'bot_settings_changed',
    errorMessage: chatbotError,
  });
  const { values, isChanged, isSaving, change: set } = form;
  const { data: inbox } = useQuery(orpc.inboxSettings.get.queryOptions({ input: {} }));
  const mayChange = can('campaigns:update') && can('messages:create');
  const problem = findProblem(values);

  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayChange && isChanged && problem === null) void form.save();
      }}
    >
      {mayChange ? null : <Banner tone="info">{t('chatbot.readOnly')}</Banner>}
      <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
        <Panel title={t('chatbot.answering')}>
          <div className="flex max-w-2xl flex-col gap-4">
            <Switch
              label={t('chatbot.enabled')}
              hint={t('chatbot.enabledHint')}
              checked={values.isEnabled}
              onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
            />
            <Field
              label={t('chatbot.responseDelay')}
              hint={t('chatbot.responseDelayHint', { n: botLimits.responseDelay })}
              error={problem === 'responseDelay' ? t('chatbot.problem.responseDelay') : undefined}
            >
              <Input
                type="number"
                inputMode="numeric"
                className="max-w-40"
                min={0}
                max={botLimits.responseDelay}
                step={100}
                value={numberShown(values.responseDelay)}
                onChange={(event) => set({ responseDelay: event.currentTarget.valueAsNumber })}
              />
            </Field>
            <Field
              label={t('chatbot.fallbackMessage')}
              hint={t('chatbot.fallbackHint')}
              required
              aside={`${values.fallbackMessage.trim().length}/${botLimits.message}`}
              error={problem === 'fallbackMessage' ? t('chatbot.problem.fallbackMessage') : undefined}
            >
              <Textarea
                rows={3}
                value={values.fallbackMessage}
                onChange={(event) => set({ fallbackMessage: event.currentTarget.value })}
              />
            </Field>
          </div>
        </Panel>
        <Panel title={t('chatbot.ai.title')}>
          <div className="flex max-w-2xl flex-col gap-4">
            <AiConnection />
            <ModelSettings values={values} problem={problem} onChange={set} />
          </div>
        </Panel>
        <Panel title={t('chatbot.handoffTitle')}>
          <div className="flex max-w-2xl flex-col gap-4">
            <Switch
              label={t('chatbot.autoHandoff')}
              hint={t('chatbot.autoHandoffHint')}
              checked={values.autoHandoffEnabled}
              onChange={(event) => set({ autoHandoffEnabled: event.currentTarget.checked })}
            />
            <Field
              label={t('chatbot.handoffKeywords')}
              hint={t('chatbot.handoffKeywordsHint')}
              error={problem === 'keywords' ? t('chatbot.problem.handoffKeywords') : undefined}
            >
              <Input
                value={values.keywords}
                autoComplete="off"
                disabled={!values.autoHandoffEnabled}
                onChange={(event) => set({ keywords: event.currentTarget.value })}
              />
            </Field>
            {values.autoHandoffEnabled && withHandoffWords(values.keywords) !== null ? (
              <Button
                size="small"
                className="self-start"
                onClick={() => set({ keywords: withHandoffWords(values.keywords) ?? values.keywords })}
              >
                {t('chatbot.addHandoffWords')}
              </Button>
            ) : null}
            <Field
              label={t('chatbot.maxLength')}
              hint={t('chatbot.maxLengthHint')}
              error={problem === 'maxConversationLength' ? t('chatbot.problem.maxLength') : undefined}
            >
              <Input
                type="number"
                inputMode="numeric"
                className="max-w-40"
                min={1}
                max={botLimits.maxConversationLength}
                value={numberShown(values.maxConversationLength)}
                onChange={(event) => set({ maxConversationLength: event.currentTarget.valueAsNumber })}
              />
            </Field>
            <HandoffSettings values={values} problem={problem} onChange={set} />
          </div>
        </Panel>
        <SenderSettings senders={values.senders} onChange={(senders) => set({ senders })} />
        <Panel title={t('chatbot.hours')}>
          <div className="flex max-w-2xl flex-col gap-4">
            <Switch
              label={t('chatbot.useHours')}
              hint={t('chatbot.useHoursHint')}
              checked={values.usesBusinessHours}
              onChange={(event) => set({ usesBusinessHours: event.currentTarget.checked })}
            />
            {inbox && inbox.businessHours === null && values.usesBusinessHours ? (
              <Banner tone="warning">{t('chatbot.noHours')}</Banner>
            ) : null}
            {can('settings:read') ? (
              <ButtonLink
                className="self-start"
                to={paths.settings}
                search={{ tab: 'messaging', section: 'business-hours' }}
              >
                {t('chatbot.editHours')}
              </ButtonLink>
            ) : null}
            <Field
              label={t('chatbot.closedMessage')}
              hint={t('chatbot.closedHint')}
              aside={`${values.closedMessage.trim().length}/${botLimits.message}`}
              error={problem === 'closedMessage' ? t('chatbot.problem.closedMessage') : undefined}
            >
              <Textarea
                rows={2}
                value={values.closedMessage}
                onChange={(event) => set({ closedMessage: event.currentTarget.value })}
              />
            </Field>
          </div>
        </Panel>
      </fieldset>
      {form.isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('chatbot.loadTheirs'), onSelect: () => void form.goOnFromTheirs(false) },
            { label: t('chatbot.keepMine'), onSelect: () => void form.goOnFromTheirs(true) },
          ]}
        >
          {t('chatbot.changed')}
        </ConflictBanner>
      ) : form.error ? (
        <Banner tone="danger">{chatbotError(form.error)}</Banner>
      ) : null}
      {mayChange ? (
        <SaveBar>
          {isChanged ? (
            <Button disabled={isSaving} onClick={form.discard}>
              {t('chatbot.discard')}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant="primary"
            loading={isSaving}
            disabled={!isChanged || problem !== null}
          >
            {t('chatbot.saveSettings')}
          </Button>
        </SaveBar>
      ) : null}
    </form>
  );
}

/** The keywords with those of all languages; null where they are there, or would be too many. */
function withHandoffWords(keywords: string): string | null {
  const own = splitKeywords(keywords, ',');
  const all = splitKeywords([...own, ...handoffWords].join(','), ',');
  return all.length === own.length || all.length > botLimits.handoffKeywords ? null : all.join(', ');
}

function numberShown(value: number): number | '' {
  return Number.isNaN(value) ? '' : value;
}

/** The field that keeps it from being saved; null for none. */
function findProblem(values: Values): keyof Values | null {
  const { responseDelay, fallbackMessage, keywords, maxConversationLength, closedMessage } = values;
  const isWithin = (value: number, least: number, most: number) =>
    Number.isInteger(value) && value >= least && value <= most;
  if (!isWithin(responseDelay, 0, botLimits.responseDelay)) return 'responseDelay';
  const length = fallbackMessage.trim().length;
  if (length === 0 || length > botLimits.message) return 'fallbackMessage';
  const words = splitKeywords(keywords, ',');
  const isLong = words.some((word) => word.length > botLimits.handoffKeyword);
  if (isLong || words.length > botLimits.handoffKeywords) return 'keywords';
  if (!isWithin(maxConversationLength, 1, botLimits.maxConversationLength)) return 'maxConversationLength';
  const ofHandoff = findHandoffProblem(values);
  if (ofHandoff) return ofHandoff;
  if (closedMessage.trim().length > botLimits.message) return 'closedMessage';
  if (values.businessFacts.trim().length > botLimits.businessFacts) return 'businessFacts';
  if (!isWithin(values.modelTokensPerDay, 0, botLimits.modelTokensPerDay)) return 'modelTokensPerDay';
  return isWithin(values.modelAnswersPerConversation, 1, botLimits.modelAnswersPerConversation)
    ? null
    : 'modelAnswersPerConversation';
}
