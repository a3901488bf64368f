import { messagingLimits, autoReplyTimes, type AutoReplyTime } from '@app/domain/settings/messaging-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { readSessionAnew } from '../../shared/session.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { QuietHoursFields } from '../sending/quiet-hours-fields.tsx';
import { BusinessHoursFields, businessHoursProblem } from '../teamwork/business-hours-fields.tsx';
import { BudgetPanel, budgetProblem } from './budget-panel.tsx';
import { ConsentPanel, consentProblem, tidyConsentWords } from './consent-panel.tsx';
import { GuardPanel, guardProblem } from './guard-panel.tsx';
import { SettingsForm } from './settings-form.tsx';
import {
  generalOptions,
  messagingOptions,
  usageOptions,
  type MessagingSettings,
} from './settings-queries.ts';
import { FormState } from '../../shared/acts/form-state.tsx';

/** How the workspace sends and answers. */
export function MessagingTab() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(messagingOptions());
  if (!data) return <FormState error={error} onRetry={() => void refetch()} />;
  return (
    <SettingsForm<MessagingSettings>
      saved={data}
      onSave={async (values) => {
        const kept = await api.settings.updateMessaging({
          ...values,
          consentWords: tidyConsentWords(values.consentWords),
        });
        queryClient.setQueryData(messagingOptions().queryKey, kept);
        void queryClient.invalidateQueries({ queryKey: usageOptions().queryKey });
        await readSessionAnew(); // the quiet hours stand in it
        return kept;
      }}
      onReadAnew={() => queryClient.fetchQuery({ ...messagingOptions(), staleTime: 0 })}
      findProblem={findProblem}
    >
      {(values, change) => (
        <>
          <AutoReplyPanel values={values} change={change} />
          <Hours values={values} change={change} />
          <Limits values={values} change={change} />
          <BudgetPanel budget={values.budget} onChange={(budget) => change({ budget })} />
          <GuardPanel guard={values.campaignGuard} onChange={(campaignGuard) => change({ campaignGuard })} />
          <Panel title={t('settings.messaging.seen')}>
            <div className="flex flex-col gap-4">
              <Switch
                label={t('teamwork.readReceipts')}
                hint={t('teamwork.readReceiptsHint')}
                checked={values.sendReadReceipts}
                onChange={(event) => change({ sendReadReceipts: event.currentTarget.checked })}
              />
              <Switch
                label={t('teamwork.typing')}
                hint={t('teamwork.typingHint')}
                checked={values.showTyping}
                onChange={(event) => change({ showTyping: event.currentTarget.checked })}
              />
            </div>
          </Panel>
          <ConsentPanel words={values.consentWords} answers={values.consentAnswers} onChange={change} />
          <Panel title={t('settings.messaging.quiet')} purpose={t('settings.messaging.quietHint')}>
            <QuietHoursFields
              quietHours={values.quietHours}
              onChange={(quietHours) => change({ quietHours })}
            />
          </Panel>
        </>
      )}
    </SettingsForm>
  );
}

interface PartProps {
  values: MessagingSettings;
  change: (patch: Partial<MessagingSettings>) => void;
}

function AutoReplyPanel({ values: { autoReply, businessHours }, change }: PartProps) {
  const set = (patch: Partial<typeof autoReply>) => change({ autoReply: { ...autoReply, ...patch } });
  const length = autoReply.message.trim().length;
  return (
    <Panel title={t('settings.messaging.autoReply')} purpose={t('settings.messaging.autoReplyPurpose')}>
      <div className="flex flex-col gap-4">
        <Switch
          label={t('settings.messaging.autoReplyOn')}
          hint={t('settings.messaging.autoReplyHint')}
          checked={autoReply.isEnabled}
          onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
        />
        <Field
          label={t('settings.messaging.autoReplyMessage')}
          required
          aside={`${length}/${messagingLimits.autoReply}`}
          error={messageProblem(autoReply.message) ?? undefined}
        >
          <Textarea
            rows={3}
            value={autoReply.message}
            onChange={(event) => set({ message: event.currentTarget.value })}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('settings.messaging.when')}>
            <Select<AutoReplyTime>
              value={autoReply.when}
              onChange={(when) => set({ when })}
              options={autoReplyTimes.map((value) => ({
                value,
                label: t(`settings.messaging.when.${value}`),
              }))}
            />
          </Field>
          <Field label={t('settings.messaging.pause')} hint={t('settings.messaging.pauseHint')}>
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={messagingLimits.pauseHours}
              value={shown(autoReply.pauseHours)}
              onChange={(event) => set({ pauseHours: count(event.currentTarget.value) })}
            />
          </Field>
        </div>
        {autoReply.isEnabled && autoReply.when === 'outside_hours' && businessHours === null ? (
          <Banner tone="info">{t('settings.messaging.needsHours')}</Banner>
        ) : null}
      </div>
    </Panel>
  );
}

function Hours({ values: { businessHours }, change }: PartProps) {
  const { data: general } = useQuery(generalOptions());
  return (
    <Panel title={t('settings.messaging.hours')}>
      <div className="flex flex-col gap-4">
        <BusinessHoursFields
          hours={businessHours}
          timeZone={general?.timeZone}
          weekStartsOn={general?.weekStartsOn}
          onChange={(hours) => change({ businessHours: hours })}
        />
      </div>
    </Panel>
  );
}

function Limits({ values: { messageLimits, marketingPerWeek }, change }: PartProps) {
  const set = (patch: Partial<typeof messageLimits>) =>
    change({ messageLimits: { ...messageLimits, ...patch } });
  return (
    <Panel title={t('settings.messaging.limits')} purpose={t('settings.messaging.limitsHint')}>
      <div className="flex flex-col gap-4">
        <Switch
          label={t('settings.messaging.limitsOn')}
          checked={messageLimits.isEnabled}
          onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {(['perMinute', 'perDay'] as const).map((name) => (
            <Field key={name} label={t(`settings.messaging.${name}`)}>
              <Input
                type="number"
                inputMode="numeric"
                min={1}
                max={messagingLimits[name]}
                value={shown(messageLimits[name])}
                onChange={(event) => set({ [name]: count(event.currentTarget.value) })}
              />
            </Field>
          ))}
        </div>
        <Switch
          label={t('settings.messaging.capOn')}
          hint={t('settings.messaging.capHint')}
          checked={marketingPerWeek !== null}
          onChange={(event) => change({ marketingPerWeek: event.currentTarget.checked ? USUAL_CAP : null })}
        />
        {marketingPerWeek === null ? null : (
          <Field label={t('settings.messaging.marketingPerWeek')} className="max-w-80">
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={messagingLimits.marketingPerWeek}
              value={shown(marketingPerWeek)}
              onChange={(event) => change({ marketingPerWeek: count(event.currentTarget.value) })}
            />
          </Field>
        )}
      </div>
    </Panel>
  );
}

const USUAL_CAP = 3;

/** An emptied field is 0, which the form refuses. */
function count(typed: string): number {
  const value = Number(typed.trim());
  return Number.isFinite(value) ? Math.round(value) : 0;
}

function shown(value: number): number | string {
  return value === 0 ? '' : value;
}

function messageProblem(message: string): string | null {
  const { length } = message.trim();
  if (length === 0) return t('settings.messaging.messageMissing');
  return length > messagingLimits.autoReply ? t('settings.tooLong', { n: messagingLimits.autoReply }) : null;
}

/** What the server would refuse. */
function findProblem({
  autoReply,
  businessHours,
  messageLimits,
  marketingPerWeek,
  consentWords,
  consentAnswers,
  budget,
  campaignGuard,
}: MessagingSettings): string | null {
  const isWithin = (value: number, most: number) => value >= 1 && value <= most;
  const wrong = (
    [
      ['pause', autoReply.pauseHours, messagingLimits.pauseHours],
      ['perMinute', messageLimits.perMinute, messagingLimits.perMinute],
      ['perDay', messageLimits.perDay, messagingLimits.perDay],
      ['marketingPerWeek', marketingPerWeek ?? 1, messagingLimits.marketingPerWeek],
    ] as const
  ).find(([, value, most]) => !isWithin(value, most));
  if (wrong) {
    const [name, , most] = wrong;
    return t('settings.messaging.outOfRange', {
      name: t(`settings.messaging.${name}`),
      most: formatNumber(most),
    });
  }
  return (
    messageProblem(autoReply.message) ??
    businessHoursProblem(businessHours) ??
    budgetProblem(budget) ??
    guardProblem(campaignGuard) ??
    consentProblem(consentWords, consentAnswers)
  );
}
