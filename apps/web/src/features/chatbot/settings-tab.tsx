import { botLimits } from '@app/domain/chatbot/bot-settings';
import { splitKeywords } from '@app/domain/chatbot/match-keywords';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormState } from '../../shared/actions/form-state.tsx';
import { keepChanged } from '../../shared/actions/keep-changed.ts';
import { SaveBar } from '../../shared/actions/save-bar.tsx';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, readFailure } from '../../shared/api.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { chatbotError, settingsOptions, type BotSettings } from './chatbot-queries.ts';

/** How the bot answers. */
export function SettingsTab() {
  const { data, error, refetch } = useQuery(settingsOptions);
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  return <SettingsForm saved={data} />;
}

/** Keywords as they are typed: a comma at the end is no keyword yet. */
type Values = BotSettings & { keywords: string };

const valuesOf = (saved: BotSettings): Values => ({ ...saved, keywords: saved.handoffKeywords.join(', ') });

function SettingsForm({ saved }: { saved: BotSettings }) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(saved);
  const [values, setValues] = useState(() => valuesOf(saved));
  const queryClient = useQueryClient();
  const update = useAction(orpc.chatbot.updateSettings.mutationOptions());
  const { data: inbox } = useQuery(orpc.inboxSettings.get.queryOptions({ input: {} }));
  const isChanged = JSON.stringify(values) !== JSON.stringify(valuesOf(opened));
  // Whoever changed nothing sees at once what somebody else saved.
  if (!isChanged && saved.version > opened.version) {
    setOpened(saved);
    setValues(valuesOf(saved));
  }
  useUnsavedWarning(isChanged, 'tab');
  const mayChange = can('campaigns:update') && can('messages:create');
  const problem = findProblem(values);
  const isConflict = update.error !== null && readFailure(update.error).code === 'bot_settings_changed';
  const set = (part: Partial<Values>) => {
    setValues({ ...values, ...part });
    update.reset();
  };

  async function goOnFromTheirs(keepsMine: boolean) {
    try {
      const theirs = await queryClient.fetchQuery({ ...settingsOptions, staleTime: 0 });
      const shown = valuesOf(theirs);
      const kept = keepsMine ? keepChanged(valuesOf(opened), values, shown) : shown;
      setValues({ ...kept, version: theirs.version });
      setOpened(theirs);
      update.reset();
    } catch (error) {
      notify.error(chatbotError(error));
    }
  }

  async function save() {
    const { keywords, ...rest } = values;
    try {
      const kept = await update.mutateAsync({ ...rest, handoffKeywords: splitKeywords(keywords, ',') });
      queryClient.setQueryData(settingsOptions.queryKey, kept);
      setOpened(kept);
      setValues(valuesOf(kept));
      notify.success(t('chatbot.settingsSaved'), { duration: SETTINGS_TOAST_MS });
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  return (
    <form
      noValidate
      className="flex min-w-0 flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayChange && isChanged && problem === null) void save();
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
          </div>
        </Panel>
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
      {isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('chatbot.loadTheirs'), onSelect: () => void goOnFromTheirs(false) },
            { label: t('chatbot.keepMine'), onSelect: () => void goOnFromTheirs(true) },
          ]}
        >
          {t('chatbot.changed')}
        </ConflictBanner>
      ) : update.error ? (
        <Banner tone="danger">{chatbotError(update.error)}</Banner>
      ) : null}
      {mayChange ? (
        <SaveBar>
          {isChanged ? (
            <Button
              disabled={update.isPending}
              onClick={() => {
                setValues(valuesOf(opened));
                update.reset();
              }}
            >
              {t('chatbot.discard')}
            </Button>
          ) : null}
          <Button
            type="submit"
            variant="primary"
            loading={update.isPending}
            disabled={!isChanged || problem !== null}
          >
            {t('chatbot.saveSettings')}
          </Button>
        </SaveBar>
      ) : null}
    </form>
  );
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
  return closedMessage.trim().length > botLimits.message ? 'closedMessage' : null;
}
