import { viewCadences } from '@app/domain/analytics/mailed-view';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';

type ReportView = Awaited<ReturnType<typeof api.reportViews.list>>['items'][number];
const CHOICES = ['never', ...viewCadences] as const;

/** How often a saved view comes by mail. */
export function MailView({ view, onClose }: { view: ReportView; onClose: () => void }) {
  const [every, setEvery] = useState<(typeof CHOICES)[number]>(view.mailEvery ?? 'never');
  const queryClient = useQueryClient();
  const saving = useAction(orpc.reportViews.setMail.mutationOptions());
  const sending = useAction(orpc.notifications.mailView.mutationOptions());

  async function save() {
    try {
      await saving.mutateAsync({ reportViewId: view.id, every: every === 'never' ? null : every });
      notify.success(t(every === 'never' ? 'analytics.mail.ended' : 'analytics.mail.saved'));
      await queryClient.invalidateQueries({ queryKey: orpc.reportViews.key() });
      onClose();
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  async function sendNow() {
    try {
      const { email } = await sending.mutateAsync({ reportViewId: view.id });
      notify.success(t('analytics.mail.nowSent', { email }));
    } catch {
      // Shown in the form, from the failed call.
    }
  }

  const failed = saving.error ?? sending.error;
  return (
    <FormDialog
      size="small"
      title={t('analytics.mail.title', { name: view.name })}
      description={t('analytics.mail.purpose')}
      submitLabel={t('common.save')}
      note={
        <Button className="mr-auto" loading={sending.isPending} onClick={() => void sendNow()}>
          {t('analytics.mail.now')}
        </Button>
      }
      isReady
      isSaving={saving.isPending}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      {failed ? <Banner tone="danger">{errorMessage(failed)}</Banner> : null}
      <Field label={t('analytics.mail.every')} hint={t(`analytics.mail.hint.${every}`)}>
        <NativeSelect
          value={every}
          onChange={({ target }) => setEvery(CHOICES.find((one) => one === target.value) ?? 'never')}
        >
          {CHOICES.map((one) => (
            <option key={one} value={one}>
              {t(`analytics.mail.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
    </FormDialog>
  );
}
