import { useState } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { usualQuietHours } from '../../shared/session.ts';
import { t } from '../../shared/messages.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { readFailure } from '../../shared/api.ts';
import { newCampaignValues, valuesOf } from './campaign-form-values.ts';
import { CampaignForm } from './campaign-form.tsx';
import { useCampaign } from './campaigns-queries.ts';

export type CampaignFormMode = 'new' | 'edit' | 'copy';

export interface CampaignFormDialogProps {
  mode: CampaignFormMode;
  campaignId: string | null;
  /** What a new one begins with. */
  templateId?: string | null;
  contentId?: string | null;
  /** Its message is a stored content of this kind of channel. */
  channelKind?: string | undefined;
  onClose: () => void;
}

/** The form in its dialog: empty, or filled from the campaign that is changed or copied. */
export function CampaignFormDialog(props: CampaignFormDialogProps) {
  return props.campaignId === null ? (
    <NewCampaign {...props} />
  ) : (
    <StoredCampaign {...props} campaignId={props.campaignId} />
  );
}

function NewCampaign({ templateId = null, contentId = null, channelKind, onClose }: CampaignFormDialogProps) {
  const [initial] = useState(() => {
    const empty = newCampaignValues(usualQuietHours());
    return { ...empty, contentId, message: { ...empty.message, templateId } };
  });
  return (
    <CampaignForm
      title={t('campaigns.form.create')}
      form={['new', ...[contentId ?? templateId ?? []].flat()].join('-')}
      initial={initial}
      channelKind={channelKind}
      onClose={onClose}
    />
  );
}

function StoredCampaign({ mode, campaignId, onClose }: CampaignFormDialogProps & { campaignId: string }) {
  const { data, error, refetch } = useCampaign(campaignId);
  const title = mode === 'edit' ? t('campaigns.form.edit') : t('campaigns.form.duplicate');
  // The form keeps the campaign as it was opened: a change by somebody else must not slip under what is being typed.
  const [opened, setOpened] = useState(data);
  if (!opened && data) setOpened(data);
  if (opened) {
    const values = valuesOf(opened);
    return mode === 'edit' ? (
      <CampaignForm title={title} form={campaignId} initial={values} campaign={opened} onClose={onClose} />
    ) : (
      <CampaignForm
        title={title}
        form={campaignId}
        initial={{
          ...newCampaignValues(usualQuietHours()),
          name: t('campaigns.form.copyOf', { name: values.name }).slice(0, 200),
          message: values.message,
          contentId: values.contentId,
          fallback: values.fallback,
          abTest: values.abTest,
          bestTime: values.bestTime,
          countsLinks: values.countsLinks,
          isCustom: values.isCustom,
          selection: values.selection,
          quietHours: values.quietHours,
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open onOpenChange={onClose} title={title} size="large">
      {!error ? (
        <SkeletonRegion>
          <Skeleton className="h-9 w-full" />
          <Skeleton className="mt-5 h-9 w-full" />
          <Skeleton className="mt-5 h-64 w-full" />
        </SkeletonRegion>
      ) : readFailure(error).code === 'campaign_not_found' ? (
        <EmptyState title={t('campaigns.page.gone')} text={t('campaigns.page.goneText')} />
      ) : (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      )}
    </Dialog>
  );
}
