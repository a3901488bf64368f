import { messagingLimits, type MessageLimits } from '@app/domain/settings/messaging-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useVersionedForm } from '../../../shared/actions/use-versioned-form.ts';
import { api, orpc } from '../../../shared/api.ts';
import { errorMessage } from '../../../shared/error-message.ts';
import { useLiveQuery } from '../../../shared/live/use-live-query.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { can } from '../../../shared/session.ts';
import { Button } from '../../../ui/button.tsx';
import { ConflictBanner } from '../../../ui/conflict-banner.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, NativeSelect } from '../../../ui/input.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';

/** `promotions`: to one person in a country that limits them; null where the kind has no such rule. */
type Limits = MessageLimits & { version: number; promotions: number | null };
type Saved = {
  version: number;
  kindLimits: Record<string, MessageLimits>;
  promotionsPerPerson: Record<string, number>;
};

const options = () => orpc.settings.getMessaging.queryOptions({ input: {} });
const limitsOf = (kind: string, { version, kindLimits, promotionsPerPerson }: Saved): Limits | null => {
  const limits = kindLimits[kind];
  return limits ? { ...limits, version, promotions: promotionsPerPerson[kind] ?? null } : null;
};

/** How much leaves through agents at most; beside the limits of the workspace for all messages. */
export function LimitsPanel({ kind }: { kind: string }) {
  useLiveQuery(['settings'], [options().queryKey]);
  const { data, error, refetch } = useQuery(options());
  if (error && !data) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-48" />;
  const saved = limitsOf(kind, data);
  return saved ? <LimitsForm kind={kind} saved={saved} /> : null;
}

function LimitsForm({ kind, saved }: { kind: string; saved: Limits }) {
  const queryClient = useQueryClient();
  const take = (settings: Awaited<ReturnType<typeof api.settings.getMessaging>>): Limits => {
    queryClient.setQueryData(options().queryKey, settings);
    return limitsOf(kind, settings) ?? saved;
  };
  const form = useVersionedForm<Limits, Limits>({
    saved,
    valuesOf: (kept) => kept,
    onSave: async ({ version, promotions, ...limits }) =>
      take(
        await api.settings.updateMessaging({
          ...{ version, kindLimits: { [kind]: limits } },
          ...(promotions !== null && { promotionsPerPerson: { [kind]: promotions } }),
        }),
      ),
    onReadAnew: async () => take(await api.settings.getMessaging({})),
    savedText: () => t('rcs.limits.saved'),
    conflictCode: 'settings_changed',
    errorMessage,
  });
  const { values, isChanged, isSaving } = form;
  const mayChange = can('settings:manage');
  const wrong = fields.filter((name) => !isWithin(values[name], messagingLimits[name]));
  return (
    <Panel title={t('rcs.limits')} purpose={t('rcs.limitsPurpose')}>
      <form
        noValidate
        className="flex min-w-0 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (mayChange && isChanged && wrong.length === 0) void form.save();
        }}
      >
        <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
          <Switch
            label={t('rcs.limits.on')}
            checked={values.isEnabled}
            onChange={({ currentTarget }) => form.change({ isEnabled: currentTarget.checked })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {fields.map((name) => (
              <Field
                key={name}
                label={t(`rcs.limits.${name}`)}
                error={
                  wrong.includes(name)
                    ? t('rcs.limits.range', { least: 1, most: messagingLimits[name] })
                    : undefined
                }
              >
                <Input
                  type="number"
                  inputMode="numeric"
                  min={1}
                  max={messagingLimits[name]}
                  value={Number.isNaN(values[name]) ? '' : values[name]}
                  onChange={({ currentTarget }) =>
                    form.change({ [name]: currentTarget.value === '' ? NaN : Number(currentTarget.value) })
                  }
                />
              </Field>
            ))}
          </div>
          {values.promotions === null ? null : (
            <Field label={t('rcs.limits.promotions')} hint={t('rcs.limits.promotionsHint')}>
              <NativeSelect
                value={values.promotions}
                onChange={({ target }) => form.change({ promotions: Number(target.value) })}
              >
                {[...new Set([...allowedPromotions, values.promotions])]
                  .toSorted((a, b) => a - b)
                  .map((n) => (
                    <option key={n} value={n}>
                      {formatNumber(n)}
                    </option>
                  ))}
              </NativeSelect>
            </Field>
          )}
        </fieldset>
        {form.isConflict ? (
          <ConflictBanner
            ways={[
              { label: t('rcs.limits.takeTheirs'), onSelect: () => void form.goOnFromTheirs(false) },
              { label: t('rcs.limits.keepMine'), onSelect: () => void form.goOnFromTheirs(true) },
            ]}
          >
            {t('rcs.limits.changed')}
          </ConflictBanner>
        ) : form.error ? (
          <Banner tone="danger">{errorMessage(form.error)}</Banner>
        ) : null}
        {mayChange ? (
          <div className="flex flex-wrap justify-end gap-2">
            {isChanged ? (
              <Button disabled={isSaving} onClick={form.discard}>
                {t('rcs.limits.discard')}
              </Button>
            ) : null}
            <Button type="submit" loading={isSaving} disabled={!isChanged || wrong.length > 0}>
              {t('rcs.limits.save')}
            </Button>
          </div>
        ) : null}
      </form>
    </Panel>
  );
}

/** What India allows, by the reputation of the agent. */
const allowedPromotions = [2, 4, 8] as const;
const fields = ['perMinute', 'perDay'] as const;

function isWithin(count: number, most: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= most;
}
