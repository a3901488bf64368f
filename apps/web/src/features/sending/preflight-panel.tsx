import { useQuery } from '@tanstack/react-query';
import {
  Ban,
  BellOff,
  Clock,
  Copy,
  Hourglass,
  PhoneOff,
  TriangleAlert,
  UserRound,
  Wallet,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import { Button } from '../../ui/button.tsx';
import { Banner, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { orpc, type api } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatMoney } from '../../shared/formats.ts';
import { whileReachable } from '../../shared/offline/kept-rows.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can } from '../../shared/session.ts';
import { isInSeveral, languagesText, leftOutLanguages } from './languages-words.ts';
import { durationOf, withoutHoldout, type Preflight } from './start-question.ts';
import { useNumberName } from './number-field.tsx';
import { valueProblemText } from './value-problems.ts';
import { obstacleText, placeOfRemedy } from './obstacle-words.ts';

type MessageChoice = Parameters<typeof api.campaigns.preflight>[0]['message'];

/** When it is to leave: now, if nothing is said. */
type PreflightPlan = Partial<
  Pick<Parameters<typeof api.campaigns.preflight>[0], 'quietHours' | 'startsAt' | 'variables'>
>;

/** The server's answer to "what would happen if this were sent now"; asked again when the choice changes. */
export function usePreflight(
  message: MessageChoice | null,
  audience: ChosenAudience,
  channelId: string | null,
  { quietHours = null, startsAt = null, variables = {} }: PreflightPlan = {},
) {
  return useQuery(
    orpc.campaigns.preflight.queryOptions({
      input: {
        message: message ?? { customMessage: '-' },
        variables,
        audience,
        channelId,
        quietHours,
        startsAt,
      },
      enabled: message !== null,
      placeholderData: whileReachable,
      staleTime: 5_000,
    }),
  );
}

/** Who gets it, who is left out and why, what it costs, how long it takes and what stands in the way. */
export function PreflightPanel({
  query,
  segments = [],
  holdoutPercent = 0,
  onChooseTemplate,
  onChooseContacts,
}: {
  query: ReturnType<typeof usePreflight>;
  /** Of an A/B test: so many of those who could get it get nothing. */
  holdoutPercent?: number | undefined;
  /** Names of the segments in the audience, for the one that was deleted. */
  segments?: readonly { id: string; name: string }[] | undefined;
  onChooseTemplate?: (() => void) | undefined;
  onChooseContacts?: (() => void) | undefined;
}) {
  const preflight = query.data && withoutHoldout(query.data, holdoutPercent);
  const numberName = useNumberName(preflight?.number?.id ?? null);
  if (query.isError && !preflight) {
    return (
      <ErrorState
        className="py-8"
        title={t('sending.preflight.failed')}
        text={errorMessage(query.error)}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (!preflight) {
    return (
      <SkeletonRegion>
        <Skeleton className="h-7 w-64" />
        <Skeleton className="mt-4 h-3 w-48" />
        <Skeleton className="mt-2 h-3 w-56" />
      </SkeletonRegion>
    );
  }
  const duration = durationOf(preflight);
  return (
    <div className="flex flex-col gap-4" aria-busy={query.isFetching || undefined}>
      <Obstacle
        preflight={preflight}
        segments={segments}
        onChooseTemplate={onChooseTemplate}
        onChooseContacts={onChooseContacts}
      />
      {preflight.budgetLeft !== null && preflight.estimatedCost > preflight.budgetLeft ? (
        <Banner tone="warning" icon={<Wallet aria-hidden />}>
          {t('sending.preflight.overBudget', {
            left: formatMoney(preflight.budgetLeft, preflight.priceCurrency),
          })}
        </Banner>
      ) : null}
      {preflight.windowClosed > 0 ? (
        <Banner
          tone="warning"
          icon={<Clock aria-hidden />}
          action={
            onChooseTemplate ? (
              <Button size="small" onClick={onChooseTemplate}>
                {t('sending.preflight.chooseTemplate')}
              </Button>
            ) : undefined
          }
        >
          {t('sending.preflight.windowText', { n: preflight.receiving })}
        </Banner>
      ) : null}
      <div>
        <p role="status" className="text-lg font-semibold tabular-nums">
          {t('sending.preflight.receiving', { n: preflight.receiving })}{' '}
          <span className="font-normal text-muted">
            {t('sending.preflight.ofChosen', { n: preflight.chosen })}
          </span>
        </p>
        <InLanguages preflight={preflight} />
        <LeftOut preflight={preflight} />
        <ValueProblems preflight={preflight} />
      </div>
      <dl className="grid grid-cols-1 gap-x-6 gap-y-3 border-t border-border pt-4 sm:grid-cols-2">
        <div>
          <dt className="text-sm text-muted">{t('sending.preflight.cost')}</dt>
          <dd className="text-lg font-semibold tabular-nums">
            {formatMoney(preflight.estimatedCost, preflight.priceCurrency)}
          </dd>
        </div>
        {numberName === null ? null : (
          <div>
            <dt className="text-sm text-muted">{t('sending.preflight.number')}</dt>
            <dd className="text-lg font-semibold tabular-nums">{numberName}</dd>
          </div>
        )}
        <div>
          <dt className="text-sm text-muted">{t('sending.preflight.duration')}</dt>
          <dd className="text-lg font-semibold tabular-nums">
            {preflight.receiving === 0 ? '–' : duration.text}
            {preflight.receiving > 0 && duration.until !== null ? (
              <span className="block text-sm font-normal text-muted">
                {t('sending.start.until', { time: duration.until })}
              </span>
            ) : null}
            {preflight.messagesPerSecond > 0 && preflight.receiving > 0 ? (
              <span className="block text-sm font-normal text-muted">
                {t('sending.preflight.rate', { n: preflight.messagesPerSecond })}
              </span>
            ) : null}
          </dd>
        </div>
      </dl>
    </div>
  );
}

function ValueProblems({ preflight: { valueProblems } }: { preflight: Preflight }) {
  if (valueProblems.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-col gap-1.5 text-warning">
      {valueProblems.map((problem) => (
        <li key={`${problem.kind} ${problem.placeholder ?? ''}`} className="flex items-start gap-2">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">{valueProblemText(problem)}</span>
        </li>
      ))}
    </ul>
  );
}

function InLanguages({ preflight: { languages, receiving } }: { preflight: Preflight }) {
  if (!languages || receiving === 0) return null;
  const leftOut = leftOutLanguages(languages);
  return (
    <>
      {isInSeveral(languages) ? <p className="mt-1 tabular-nums">{languagesText(languages)}</p> : null}
      {leftOut.length === 0 ? null : (
        <ul className="mt-1.5 flex flex-col gap-1 text-sm text-warning">
          {leftOut.map(({ language, text }) => (
            <li key={language} className="flex items-start gap-2">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const reasons = [
  ['blocked', Ban],
  ['optedOut', BellOff],
  ['withoutNumber', PhoneOff],
  ['windowClosed', Clock],
  ['held', Hourglass],
  ['promotionsCapped', Hourglass],
  ['doubled', Copy],
] as const;

function LeftOut({ preflight }: { preflight: ReturnType<typeof withoutHoldout> }) {
  const { heldOut } = preflight;
  const present = reasons.filter(([reason]) => preflight[reason] > 0);
  if (preflight.chosen === 0) return null;
  if (present.length === 0 && heldOut === 0) {
    return <p className="mt-1 text-muted">{t('sending.preflight.nobodyLeftOut')}</p>;
  }
  return (
    <ul aria-label={t('sending.preflight.leftOut')} className="mt-2 flex flex-col gap-1.5">
      {present.map(([reason, Icon]) => (
        <li key={reason} className="flex items-center gap-2 text-muted tabular-nums">
          <Icon aria-hidden className="size-4 shrink-0" />
          {t(`sending.preflight.${reason}`, { n: preflight[reason] })}
        </li>
      ))}
      {heldOut > 0 ? (
        <li className="flex items-center gap-2 text-muted tabular-nums">
          <UserRound aria-hidden className="size-4 shrink-0" />
          {t('sending.preflight.heldOut', { n: heldOut })}
        </li>
      ) : null}
    </ul>
  );
}

function Obstacle({
  preflight: { obstacle, templateObstacle, deletedSegmentIds },
  segments,
  onChooseTemplate,
  onChooseContacts,
}: {
  preflight: Preflight;
  segments: readonly { id: string; name: string }[];
  onChooseTemplate: (() => void) | undefined;
  onChooseContacts: (() => void) | undefined;
}): ReactNode {
  if (obstacle === null) return null;
  // Nobody is led to a page that turns them away.
  const toSettings = can('settings:read') ? (
    <ButtonLink to={paths.settings} search={{ tab: 'api' }} size="small">
      {t('sending.obstacle.openSettings')}
    </ButtonLink>
  ) : undefined;
  const toTemplates = onChooseTemplate ? (
    <Button size="small" onClick={onChooseTemplate}>
      {t('sending.preflight.chooseTemplate')}
    </Button>
  ) : undefined;
  const toContacts = onChooseContacts ? (
    <Button size="small" onClick={onChooseContacts}>
      {t('sending.preflight.chooseContacts')}
    </Button>
  ) : undefined;
  const acts = { settings: toSettings, message: toTemplates, audience: toContacts };
  return (
    <Banner tone="danger" icon={<TriangleAlert aria-hidden />} action={acts[placeOfRemedy(obstacle)]}>
      {obstacleText({ obstacle, templateObstacle, deletedSegmentIds }, segments)}
    </Banner>
  );
}
