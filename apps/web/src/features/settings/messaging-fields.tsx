import { messagingLimits, autoReplyTimes, type AutoReplyTime } from '@app/domain/settings/messaging-settings';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../shared/messages.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { Banner } from '../../ui/states.tsx';
import { BusinessHoursFields } from '../teamwork/business-hours-fields.tsx';
import { generalOptions, type MessagingSettings } from './settings-queries.ts';

interface PartProps {
  values: MessagingSettings;
  change: (patch: Partial<MessagingSettings>) => void;
}

/** What people who write hear at once, and when. */
export function AutoReplyFields({ values: { autoReply, businessHours }, change }: PartProps) {
  const set = (patch: Partial<typeof autoReply>) => change({ autoReply: { ...autoReply, ...patch } });
  const length = autoReply.message.trim().length;
  return (
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
        error={replyProblem(autoReply.message) ?? undefined}
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
  );
}

/** When the business is open. */
export function HoursFields({ values: { businessHours }, change }: PartProps) {
  const { data: general } = useQuery(generalOptions());
  return (
    <div className="flex flex-col gap-4">
      <BusinessHoursFields
        hours={businessHours}
        timeZone={general?.timeZone}
        weekStartsOn={general?.weekStartsOn}
        onChange={(hours) => change({ businessHours: hours })}
      />
    </div>
  );
}

/** How much is sent at most. */
export function LimitFields({ values: { messageLimits, marketingPerWeek }, change }: PartProps) {
  const set = (patch: Partial<typeof messageLimits>) =>
    change({ messageLimits: { ...messageLimits, ...patch } });
  return (
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
  );
}

/** What customers see of whether somebody is there. */
export function SeenFields({ values, change }: PartProps) {
  return (
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

/** Why this automatic reply cannot be saved; null when it can. */
export function replyProblem(message: string): string | null {
  const { length } = message.trim();
  if (length === 0) return t('settings.messaging.messageMissing');
  return length > messagingLimits.autoReply ? t('settings.tooLong', { n: messagingLimits.autoReply }) : null;
}
