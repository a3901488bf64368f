import { useState } from 'react';
import { api, isDoneBefore, isUnanswered, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { sendingErrorMessage } from '../sending/sending-failure.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import type { CampaignDetails } from './campaigns-queries.ts';

interface SaveFailureProps {
  error: unknown;
  isNew: boolean;
  /** The campaign that the first try made; what is typed becomes a change of it. */
  onFound: (campaign: CampaignDetails) => void;
}

/** The form is long, and its button is far from where this stands. */
function bringIntoView(banner: HTMLElement | null): void {
  banner?.scrollIntoView({ block: 'center' });
}

export function SaveFailure({ error, isNew, onFound }: SaveFailureProps) {
  const { code, values } = readFailure(error);
  const { made } = values;
  if (isNew && isDoneBefore(code) && typeof made === 'string')
    return <SavedBefore campaignId={made} onFound={onFound} />;
  return (
    <div ref={bringIntoView}>
      <Banner tone="danger">
        {isNew && isUnanswered(error) ? t('campaigns.form.saveUnknown') : sendingErrorMessage(error)}
      </Banner>
    </div>
  );
}

function SavedBefore({ campaignId, onFound }: Pick<SaveFailureProps, 'onFound'> & { campaignId: string }) {
  const [isLoading, setLoading] = useState(false);

  async function load() {
    setLoading(true);
    try {
      onFound(await api.campaigns.get({ campaignId }));
    } catch (error) {
      notify.error(sendingErrorMessage(error));
      setLoading(false);
    }
  }

  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" loading={isLoading} onClick={() => void load()}>
          {t('campaigns.form.changeSaved')}
        </Button>
      }
    >
      {t('campaigns.form.savedBefore')}
    </Banner>
  );
}
