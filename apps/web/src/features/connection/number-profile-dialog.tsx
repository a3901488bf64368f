import {
  businessCategories,
  generalLimits,
  readWebsite,
  type BusinessCategory,
  type BusinessProfile,
} from '@app/domain/settings/general-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAct } from '../../shared/acts/use-act.ts';
import { api, orpc } from '../../shared/api.ts';
import { failureTextOf } from '../../shared/failure-text.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner, type BannerTone } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type NumberProfile = Awaited<ReturnType<typeof api.settings.getNumberProfile>>;

const failureOf = failureTextOf({ settings_changed: 'connection.profile.conflict' });
const tones: Record<string, BannerTone> = { done: 'success', refused: 'danger', unreachable: 'warning' };
const optionsOf = (channelId: string) =>
  orpc.settings.getNumberProfile.queryOptions({ input: { channelId } });

interface NumberProfileDialogProps {
  channelId: string;
  displayNumber: string;
  onClose: () => void;
}

/** What people see of the business beside this number: its own, or that of the workspace. */
export function NumberProfileDialog(props: NumberProfileDialogProps) {
  const hasWords = useMessages('settings');
  const { data } = useQuery(optionsOf(props.channelId));
  useLiveQuery(['settings'], [orpc.settings.getNumberProfile.key()]);
  if (!hasWords || !data) return null;
  return <ProfileForm {...props} saved={data} />;
}

function ProfileForm({
  channelId,
  displayNumber,
  onClose,
  saved,
}: NumberProfileDialogProps & { saved: NumberProfile }) {
  const queryClient = useQueryClient();
  // As it was opened: what is saved must follow what the person saw.
  const [{ version, profile: opened }] = useState(saved);
  const [values, setValues] = useState<BusinessProfile>(opened);
  const keep = (kept: NumberProfile) => queryClient.setQueryData(optionsOf(channelId).queryKey, kept);
  const save = useAct({
    mutationFn: (profile: BusinessProfile | null) =>
      api.settings.updateNumberProfile({ channelId, version, profile }),
    onSuccess: (kept) => {
      keep(kept);
      notify.success(t('connection.profile.saved'));
      onClose();
    },
  });
  const read = useAct({
    mutationFn: () => api.settings.readProfile({ channelId }),
    onSuccess: (answer) => {
      if (answer.outcome === 'done') setValues(answer.profile);
      else
        notify.error(
          answer.outcome === 'refused'
            ? t('settings.profile.refused', { reason: answer.reason })
            : t('settings.profile.unreachable'),
        );
    },
    onError: (error) => notify.error(failureOf(error)),
  });
  const push = useAct({
    mutationFn: () => api.settings.pushProfile({ channelId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.settings.getNumberProfile.key() }),
    onError: (error) => notify.error(failureOf(error)),
  });
  const change = (patch: Partial<BusinessProfile>) => setValues((before) => ({ ...before, ...patch }));
  const websites = Array.from({ length: generalLimits.websites }, (_, at) => values.websites[at] ?? '');
  const written = websites.map((website) => website.trim()).filter(Boolean);
  const isRight = written.every((website) => readWebsite(website) !== null);
  const { push: pushed, isOwn } = saved;
  return (
    <FormDialog
      title={t('connection.profile.title', { number: displayNumber })}
      size="large"
      submitLabel={t('connection.profile.save')}
      isSaving={save.isPending}
      isReady={
        isRight && (!isOwn || JSON.stringify({ ...values, websites: written }) !== JSON.stringify(opened))
      }
      onSubmit={() => save.mutate({ ...values, websites: written })}
      onClose={onClose}
      note={
        isOwn ? (
          <Button variant="ghost" disabled={save.isPending} onClick={() => save.mutate(null)}>
            {t('connection.profile.useGeneral')}
          </Button>
        ) : null
      }
    >
      {save.error ? <Banner tone="danger">{failureOf(save.error)}</Banner> : null}
      <Banner
        tone={tones[pushed.state] ?? 'info'}
        action={
          <span className="flex flex-wrap gap-2">
            <Button size="small" loading={read.isPending} onClick={() => read.mutate()}>
              {t('settings.profile.take')}
            </Button>
            {pushed.state === 'done' || pushed.state === 'waiting' ? null : (
              <Button size="small" loading={push.isPending} onClick={() => push.mutate()}>
                {t(pushed.state === 'none' ? 'settings.profile.send' : 'settings.profile.again')}
              </Button>
            )}
          </span>
        }
      >
        {isOwn ? null : <>{t('connection.profile.general')} </>}
        {pushed.state === 'done' && pushed.changedAt !== null
          ? t('settings.profile.done', { time: formatDateTime(pushed.changedAt) })
          : t(`settings.profile.${pushed.state}`, { reason: pushed.reason ?? '' })}
      </Banner>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('settings.general.category')}>
          <Select<BusinessCategory>
            value={values.category}
            onChange={(category) => change({ category })}
            options={businessCategories.map((value) => ({ value, label: t(`settings.category.${value}`) }))}
          />
        </Field>
        <Field label={t('settings.general.email')}>
          <Input
            type="email"
            maxLength={generalLimits.email}
            value={values.email}
            onChange={({ target }) => change({ email: target.value })}
          />
        </Field>
        <Field label={t('settings.general.about')} className="sm:col-span-2">
          <Input
            maxLength={generalLimits.about}
            value={values.about}
            onChange={({ target }) => change({ about: target.value })}
          />
        </Field>
        <Field label={t('settings.general.description')} className="sm:col-span-2">
          <Textarea
            rows={3}
            maxLength={generalLimits.description}
            value={values.description}
            onChange={({ target }) => change({ description: target.value })}
          />
        </Field>
        <Field label={t('settings.general.address')} className="sm:col-span-2">
          <Input
            maxLength={generalLimits.address}
            value={values.address}
            onChange={({ target }) => change({ address: target.value })}
          />
        </Field>
        {websites.map((website, at) => (
          <Field
            key={at}
            label={t('settings.general.website', { n: at + 1 })}
            error={
              website.trim() === '' || readWebsite(website) !== null ? undefined : t('settings.websiteWrong')
            }
          >
            <Input
              type="url"
              placeholder="https://"
              value={website}
              onChange={({ target }) => change({ websites: websites.with(at, target.value) })}
            />
          </Field>
        ))}
      </div>
    </FormDialog>
  );
}
