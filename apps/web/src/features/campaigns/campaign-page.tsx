import { useNavigate, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { Suspense } from 'react';
import { readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { costOf } from '@app/domain/delivery/message-cost';
import { ButtonLink } from '../../shared/links.tsx';
import { loadMessages, t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { fromAudience, toAudience } from '../sending/audience/audience-selection.ts';
import { pauseText } from '../sending/delivery-words.ts';
import { HeldStart } from '../sending/held-start.tsx';
import { ReachLine } from '../sending/reach-line.tsx';
import { PreflightPanel, usePreflight } from '../sending/preflight-panel.tsx';
import { can } from '../../shared/session.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { Banner, EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { CampaignAbout, CampaignMessage } from './campaign-about.tsx';
import { messageOfCampaign } from './campaign-contents.tsx';
import { CampaignMenu, MainActionButton } from './campaign-actions.tsx';
import { CampaignProgressPanel } from './campaign-progress-panel.tsx';
import { CampaignStatusBadge } from './campaign-status-badge.tsx';
import {
  hasBegun,
  useCampaign,
  useLiveCounts,
  useRetryPreflight,
  type CampaignDetails,
} from './campaigns-queries.ts';
import { AbTestPlace } from './ab-test/ab-test-place.tsx';
import { FallbackPanel } from './fallback/fallback-panel.tsx';
import { RetryButton, RetryNote } from './retry-failed.tsx';
import { UndeliveredReasons } from './undelivered-reasons.tsx';
import { UnknownRecipients } from './unknown-recipients.tsx';
import { useCampaignReading } from './use-campaign-reading.ts';
import { useCampaignActions } from './use-campaign-actions.ts';

const RecipientsTable = lazyDetail(async () => (await import('./recipients-table.tsx')).RecipientsTable);
const ConversionsPanel = lazyDetail(async () => {
  const words = loadMessages('conversions');
  const [panel] = await Promise.all([import('../conversions/conversions-panel.tsx'), words]);
  return panel.ConversionsPanel;
});
const CampaignFormDialog = lazyDialog(
  async () => (await import('./campaign-form-dialog.tsx')).CampaignFormDialog,
);

export function CampaignPage() {
  useLiveCounts();
  const { campaignId = '' } = useParams({ strict: false });
  const { data, dataUpdatedAt, error, refetch } = useCampaign(campaignId);
  // Another campaign begins anew: nothing of the last one may stand beside it.
  if (data) return <CampaignView key={data.id} campaign={data} cameAt={dataUpdatedAt} />;
  return (
    <PageFrame title={t('campaigns.title')} back={<BackLink />}>
      {!error ? (
        <SkeletonRegion className="flex flex-col gap-4">
          <Skeleton className="h-44 w-full" />
          <Skeleton className="h-72 w-full" />
        </SkeletonRegion>
      ) : ['campaign_not_found', 'invalid_input', 'BAD_REQUEST'].includes(readFailure(error).code) ? (
        <EmptyState title={t('campaigns.page.gone')} text={t('campaigns.page.goneText')} />
      ) : (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      )}
    </PageFrame>
  );
}

function CampaignView({ campaign, cameAt }: { campaign: CampaignDetails; cameAt: number }) {
  const navigate = useNavigate();
  const [{ form }, setUrl] = useUrlState(readForm);
  const acts = useCampaignActions();
  const { status, kind, name } = campaign;
  const isStarted = hasBegun(campaign);
  const reading = useCampaignReading(campaign);
  const { shown } = reading;
  const retryPreflight = useRetryPreflight(shown);
  return (
    <PageFrame
      title={name}
      back={<BackLink />}
      purpose={
        <span className="mt-1 flex flex-wrap gap-1.5">
          <CampaignStatusBadge status={status} />
          {kind === 'bulk' ? <Badge>{t('campaigns.kind.bulk')}</Badge> : null}
        </span>
      }
      actions={
        <>
          <RetryButton
            campaign={shown}
            preflight={retryPreflight}
            acts={acts}
            onRetried={({ id }) => void navigate({ to: paths.campaign(id) })}
          />
          <MainActionButton campaign={shown} acts={acts} size="medium" />
          <CampaignMenu
            campaign={shown}
            acts={acts}
            size="medium"
            onEdit={() => setUrl({ form: 'edit' }, { push: true })}
            onDuplicate={() => setUrl({ form: 'copy' }, { push: true })}
            onDeleted={() => void navigate({ to: paths.campaigns })}
          />
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {status === 'paused' ? (
          <Banner tone="warning">{pauseText(campaign) ?? t('campaigns.page.pausedByHand')}</Banner>
        ) : null}
        <HeldStart held={{ ...campaign, campaignId: campaign.id }} cameAt={cameAt} />
        <RetryNote campaign={shown} preflight={retryPreflight} />
        {shown.counts.unknown > 0 ? <UnknownRecipients campaign={shown} /> : null}
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="flex min-w-0 flex-col gap-4">
            {isStarted ? (
              <CampaignProgressPanel campaign={shown} />
            ) : (
              <PlannedPanel
                campaign={campaign}
                onEdit={can('campaigns:update') ? () => setUrl({ form: 'edit' }, { push: true }) : undefined}
              />
            )}
            <AbTestPlace campaign={campaign} />
            <UndeliveredReasons campaignId={campaign.id} reading={reading} />
            <FallbackPanel campaign={campaign} />
            {isStarted ? (
              <Suspense fallback={<Skeleton className="h-64 w-full" />}>
                <ConversionsPanel campaignId={campaign.id} {...resultOf(shown)} />
              </Suspense>
            ) : null}
            <CampaignAbout campaign={shown} />
          </div>
          <CampaignMessage campaign={campaign} />
        </div>
        {can('contacts:read') ? (
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <RecipientsTable
              campaignId={campaign.id}
              isStarted={isStarted}
              hasFallback={campaign.fallback !== null}
              reading={reading}
            />
          </Suspense>
        ) : null}
      </div>
      {form === '' ? null : (
        <Suspense>
          <CampaignFormDialog
            mode={form}
            campaignId={campaign.id}
            onClose={() => setUrl({ form: undefined })}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}

/** Whom it reached so far, by either message, and at what cost. */
function resultOf({ counts, pricePerMessage, priceCurrency, fallbackCounts, fallbackCost }: CampaignDetails) {
  const own = costOf(counts.delivered, pricePerMessage);
  // Prices in two currencies cannot be added up.
  const other = fallbackCost?.currency === priceCurrency ? fallbackCost.amount : 0;
  return {
    delivered: counts.delivered + (fallbackCounts?.delivered ?? 0),
    cost: { amount: own + other, currency: priceCurrency },
  };
}

/** What would happen if it were started now. */
function PlannedPanel({ campaign, onEdit }: { campaign: CampaignDetails; onEdit: (() => void) | undefined }) {
  const { audience, segments, channelId } = campaign;
  const choice = messageOfCampaign(campaign);
  const query = usePreflight(choice, toAudience(fromAudience(audience)), channelId, {
    quietHours: campaign.quietHours,
    variables: campaign.variables,
    startsAt: campaign.status === 'scheduled' ? campaign.scheduledAt : null,
  });
  return (
    <Panel title={t('sending.preflight.title')}>
      {choice === null ? (
        <Banner
          tone="danger"
          action={
            onEdit ? (
              <Button size="small" onClick={onEdit}>
                {t('campaigns.act.edit')}
              </Button>
            ) : undefined
          }
        >
          {t('sending.failure.templateGone')}
        </Banner>
      ) : (
        <>
          <PreflightPanel
            query={query}
            segments={segments}
            holdoutPercent={campaign.abTest?.holdoutPercent}
            onChooseTemplate={onEdit}
            onChooseContacts={onEdit}
          />
          <ReachLine audience={toAudience(fromAudience(audience))} channelId={channelId} />
        </>
      )}
    </Panel>
  );
}

function BackLink() {
  return (
    <ButtonLink
      to={paths.campaigns}
      variant="ghost"
      size="small"
      className="-ml-2.5 text-muted"
      icon={<ArrowLeft aria-hidden />}
    >
      {t('campaigns.page.back')}
    </ButtonLink>
  );
}

function readForm(raw: Record<string, unknown>) {
  return { form: readOneOf(raw, 'form', ['', 'edit', 'copy']) };
}
