import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { webhookErrorMessage, webhookKeys, type WebhookEndpoint } from './webhook-queries.ts';

/** Resumes an endpoint, and asks what becomes of the events of the meantime. */
export function ResumeDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const [waiting, setWaiting] = useState<'send' | 'cancel'>('send');
  const queryClient = useQueryClient();
  const resume = useAction({
    mutationFn: () => api.webhookEndpoints.setPaused({ endpointId: endpoint.id, isPaused: false, waiting }),
    onSuccess: async () => {
      notify.success(t('webhookEndpoints.resumed'));
      for (const queryKey of webhookKeys()) await queryClient.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('webhookEndpoints.resumeTitle')}
      description={t('webhookEndpoints.resumeText', { n: endpoint.waiting })}
      submitLabel={t('webhookEndpoints.resume')}
      isSaving={resume.isPending}
      onSubmit={() => resume.mutate()}
      onClose={onClose}
      closeOnOutsidePress
    >
      {resume.error ? <Banner tone="danger">{webhookErrorMessage(resume.error)}</Banner> : null}
      {endpoint.waiting === 0 ? null : (
        <FieldGroup legend={t('webhookEndpoints.resumeWaiting')}>
          <Radio
            name="waiting"
            label={t('webhookEndpoints.resumeSend')}
            checked={waiting === 'send'}
            onChange={() => setWaiting('send')}
          />
          <Radio
            name="waiting"
            label={t('webhookEndpoints.resumeCancel')}
            checked={waiting === 'cancel'}
            onChange={() => setWaiting('cancel')}
          />
        </FieldGroup>
      )}
    </FormDialog>
  );
}
