import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { costOf } from '@app/domain/delivery/message-cost';
import { languageName } from '../../shared/contacts/contact-languages.ts';
import { formatDateTime, formatList, formatMoney, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { fromAudience } from '../sending/audience/audience-selection.ts';
import { describeSelection } from '../sending/audience/audience-words.ts';
import { useFilterNames } from '../sending/audience/filter-names.ts';
import { MessageBubble } from '../sending/message/message-phone.tsx';
import { useNumberName } from '../sending/number-field.tsx';
import { TestSendButton } from '../sending/test-send-button.tsx';
import { SegmentDescriptions } from '../sending/audience/segment-descriptions.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from '../../ui/page-frame.tsx';
import { ContentBubble, messageOfCampaign, useContent } from './campaign-contents.tsx';
import { countsOf, hasBegun, type CampaignDetails } from './campaigns-queries.ts';

/** Who it is for and when. */
export function CampaignAbout({ campaign }: { campaign: CampaignDetails }) {
  const { status, scheduledAt, startedAt, completedAt, createdAt, quietHours } = campaign;
  const { pricePerMessage, priceCurrency, segments } = campaign;
  const counts = countsOf(campaign);
  const isBegun = hasBegun(campaign);
  // Contacts that are left out cost nothing. The recipients of a large audience are added while the first ones are sent, so what was read can be too low.
  const planned = Math.max(campaign.plannedCost, costOf(counts.total - counts.cancelled, pricePerMessage));
  const number = useNumberName(campaign.channelId);
  const languages = campaign.languages
    ? formatList(campaign.languages.map(languageName), 'and')
    : campaign.inContactLanguage && !isBegun
      ? t('sending.message.inContactLanguage')
      : null;
  return (
    <Panel title={t('campaigns.page.about')}>
      <dl className="grid grid-cols-1 gap-x-10 gap-y-2.5 sm:grid-cols-2">
        <Fact wide label={t('campaigns.page.audience')}>
          <Audience campaign={campaign} />{' '}
          {/* Until it begins, the panel above counts people and cost as they are now. */}
          {isBegun ? <span className="text-muted">({formatNumber(counts.total)})</span> : null}
        </Fact>
        {languages === null ? null : <Fact label={t('campaigns.page.languages')}>{languages}</Fact>}
        {number === null ? null : <Fact label={t('sending.preflight.number')}>{number}</Fact>}
        <Fact label={t('campaigns.page.created')}>{formatDateTime(createdAt)}</Fact>
        {scheduledAt ? (
          <Fact label={t('campaigns.page.scheduled')}>{formatDateTime(scheduledAt)}</Fact>
        ) : null}
        {campaign.bestTime ? (
          <Fact wide label={t('campaigns.bestTime.switch')}>
            <LeavingHours hours={campaign.hours} />
          </Fact>
        ) : null}
        {startedAt ? <Fact label={t('campaigns.page.started')}>{formatDateTime(startedAt)}</Fact> : null}
        {quietHours ? (
          <Fact label={t('campaigns.page.quiet')}>
            {t('campaigns.page.quietHours', {
              from: quietHours.from,
              to: quietHours.to,
              zone: quietHours.timeZone.replaceAll('_', ' '),
            })}
          </Fact>
        ) : null}
        {campaign.counts.total > 0 ? (
          <>
            <Fact label={t('campaigns.page.plannedCost')}>{formatMoney(planned, priceCurrency)}</Fact>
            <Fact label={t('campaigns.page.cost')}>
              {formatMoney(costOf(counts.delivered, pricePerMessage), priceCurrency)}{' '}
              <span className="text-muted">({t('campaigns.page.costHint')})</span>
            </Fact>
          </>
        ) : null}
        {completedAt ? (
          <Fact label={t(status === 'cancelled' ? 'campaigns.page.cancelled' : 'campaigns.page.completed')}>
            {formatDateTime(completedAt)}
          </Fact>
        ) : null}
      </dl>
      {segments.some(({ isDeleted }) => !isDeleted) ? (
        <div className="mt-4 border-t border-border pt-3">
          <SegmentDescriptions segments={segments} isLive={!isBegun} />
        </div>
      ) : null}
    </Panel>
  );
}

/** How many leave when; before the start what will happen. */
function LeavingHours({ hours }: { hours: CampaignDetails['hours'] }) {
  if (hours === null) return <span className="text-muted">{t('campaigns.bestTime.hint')}</span>;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
      {hours.map(({ at, count }) => (
        <li key={at}>
          <span className="text-muted">{formatDateTime(at)}</span> {formatNumber(count)}
        </li>
      ))}
    </ul>
  );
}

/** What people get to read. */
export function CampaignMessage({ campaign }: { campaign: CampaignDetails }) {
  const { templateId, templateName, customMessage, variables, contentId, contentName } = campaign;
  const { content, isGone: isContentGone } = useContent(contentId);
  const message = messageOfCampaign(campaign);
  const isGone = isContentGone || message === null;
  return (
    <Panel
      title={t('campaigns.page.message')}
      purpose={
        contentId !== null ? (
          isContentGone ? (
            `${contentName ?? ''} · ${t('campaigns.contentDeleted')}`
          ) : (
            contentName
          )
        ) : customMessage !== null ? (
          t('campaigns.customMessage')
        ) : isGone ? (
          `${templateName ?? ''} · ${t('campaigns.templateDeleted')}`
        ) : (
          <Link to={paths.templates} search={{ search: templateName ?? '' }} className="hover:underline">
            {templateName}
          </Link>
        )
      }
    >
      {isGone ? null : (
        <div className="flex flex-col items-center gap-3">
          <div className="w-full">
            {contentId === null ? (
              <MessageBubble message={{ templateId, customMessage: customMessage ?? '', variables }} />
            ) : (
              <ContentBubble content={content} />
            )}
          </div>
          <TestSendButton message={{ message, variables, channelId: campaign.channelId }} />
        </div>
      )}
    </Panel>
  );
}

function Fact({ label, wide, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classNames('flex items-baseline justify-between gap-x-4', wide && 'sm:col-span-2')}>
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  );
}

function Audience({ campaign: { audience, segments } }: { campaign: CampaignDetails }): ReactNode {
  const selection = fromAudience(audience, segments);
  const names = useFilterNames(selection.filters);
  if ('failedOf' in audience) {
    return (
      <Link to={paths.campaign(audience.failedOf)} className="hover:underline">
        {t('campaigns.page.failedOf')}
      </Link>
    );
  }
  return describeSelection(selection, names);
}
