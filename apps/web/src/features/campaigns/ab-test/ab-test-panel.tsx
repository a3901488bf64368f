import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, orpc } from '../../../shared/api.ts';
import { formatDateTime, formatNumber, formatPercent, formatShare } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { useAction } from '../../../shared/actions/use-action.ts';
import { can } from '../../../shared/session.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { useConfirm } from '../../../ui/overlays/confirm.tsx';
import { Panel } from '../../../ui/page-frame.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { errorMessage } from '../../../shared/error-message.ts';
import type { CampaignDetails } from '../campaigns-queries.ts';
import { hoursText, variantLetter } from './ab-test-words.ts';

type Test = Awaited<ReturnType<typeof api.campaigns.getTest>>;
type Figures = Test['variants'][number];
type AbTest = NonNullable<CampaignDetails['abTest']>;

const COUNTS = ['recipients', 'delivered', 'read', 'replied'] as const;
const POLL_MS = 15_000;

/** How the variants of a campaign do, what the rule says of them, and the press that sends one to the others. */
export function AbTestPanel({ campaign, test: rule }: { campaign: CampaignDetails; test: AbTest }) {
  const { id: campaignId, status, startedAt } = campaign;
  const { data, error, refetch } = useQuery(
    orpc.campaigns.getTest.queryOptions({
      input: { campaignId },
      // Reports come for hours: each counts, and none is worth an event of its own.
      refetchInterval: ({ state }) => (awaitsReports(state.data) ? POLL_MS : false),
    }),
  );
  // Before the start nothing is polled: it is read anew when the campaign begins, pauses or ends.
  const told = `${status} ${startedAt}`;
  const readFor = useRef(told);
  useEffect(() => {
    if (readFor.current === told) return;
    readFor.current = told;
    void refetch();
  }, [told, refetch]);
  return (
    <Panel title={t('abTests.panel.title')} purpose={ruleText(rule)}>
      {error && !data ? (
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      ) : data ? (
        <Content campaign={campaign} rule={rule} test={data} />
      ) : (
        <Skeleton className="h-40 w-full" />
      )}
    </Panel>
  );
}

/** Of the test, and of the others who got its winner. */
function awaitsReports(test: Test | undefined): boolean {
  const rest = test?.rest ?? null;
  return test?.state === 'testing' || (rest !== null && rest.delivered + rest.failed < rest.recipients);
}

function Content({ campaign, rule, test }: { campaign: CampaignDetails; rule: AbTest; test: Test }) {
  const choose = useChoice(campaign.id);
  const confirm = useConfirm();
  const { verdict, chosen, waiting } = test;
  const mayChoose =
    verdict !== null && chosen === null && waiting > 0 && can('campaigns:update') && can('messages:create');
  const ask = async (variant: number) => {
    const isSure = await confirm({
      title: t('abTests.choose.title', { letter: variantLetter(variant) }),
      text: t('abTests.choose.text', { n: waiting, number: formatNumber(waiting) }),
      confirmLabel: t('abTests.choose.confirm', { letter: variantLetter(variant) }),
      danger: false,
    });
    if (isSure) choose.mutate({ campaignId: campaign.id, variant });
  };
  const winner = verdict?.variant ?? null;
  return (
    <div className="flex flex-col gap-4">
      <Standing test={test} />
      <div className="overflow-x-auto">
        <table className="w-full min-w-[34rem] text-sm tabular-nums">
          <caption className="sr-only">{t('abTests.panel.title')}</caption>
          <thead className="text-left text-muted">
            <tr>
              <th scope="col" className="py-2 pr-3 font-medium">
                {t('abTests.panel.variant')}
              </th>
              {COUNTS.map((name) => (
                <th key={name} scope="col" className="py-2 pr-3 text-right font-medium">
                  {t(`abTests.panel.${name}`)}
                </th>
              ))}
              <th scope="col" className="py-2 text-right font-medium">
                {t(`abTests.metric.${rule.metric}`)}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {namesOf(campaign, rule).map((name, variant) => (
              <tr key={variantLetter(variant)}>
                <th scope="row" className="py-2 pr-3 text-left font-normal">
                  <span className="flex flex-wrap items-center gap-1.5">
                    <span className="font-semibold">{variantLetter(variant)}</span>
                    <span className="min-w-0 wrap-anywhere">{name}</span>
                    {variant === winner ? <Badge tone="success">{t('abTests.panel.winner')}</Badge> : null}
                    {chosen?.variant === variant && variant !== winner ? (
                      <Badge tone="info">{t('abTests.panel.chosen')}</Badge>
                    ) : null}
                    {mayChoose ? (
                      <Button size="small" loading={choose.isPending} onClick={() => void ask(variant)}>
                        {t('abTests.choose.confirm', { letter: variantLetter(variant) })}
                      </Button>
                    ) : null}
                  </span>
                </th>
                <FigureCells figures={test.variants[variant]} />
              </tr>
            ))}
            {test.rest ? (
              <tr>
                <th scope="row" className="py-2 pr-3 text-left font-normal">
                  {t('abTests.panel.rest', { letter: variantLetter(chosen?.variant ?? 0) })}
                </th>
                <FigureCells figures={test.rest} />
              </tr>
            ) : null}
          </tbody>
        </table>
      </div>
      {choose.isError ? <Banner tone="danger">{errorMessage(choose.error)}</Banner> : null}
      {test.holdout ? <Holdout holdout={test.holdout} rule={rule} /> : null}
    </div>
  );
}

function FigureCells({ figures }: { figures: Figures | undefined }) {
  if (!figures)
    return (
      <td colSpan={COUNTS.length + 1} className="py-2 text-right text-muted">
        –
      </td>
    );
  const { base, hits } = figures;
  return (
    <>
      {COUNTS.map((name) => (
        <td key={name} className="py-2 pr-3 text-right align-top">
          {formatNumber(figures[name])}
        </td>
      ))}
      <td className="py-2 text-right align-top">
        <span className="font-semibold">{formatShare(hits, base)}</span>
        {figures.interval ? (
          <span className="block text-xs text-muted">{intervalText(figures.interval)}</span>
        ) : null}
      </td>
    </>
  );
}

/** What a reader has to know now: what is waited for, or what came of it. */
function Standing({ test: { state, plan, endsAt, verdict, chosen, waiting } }: { test: Test }) {
  if (state === 'planned') return <p className="text-muted">{t('abTests.standing.planned')}</p>;
  if (verdict === null)
    return (
      <Banner>
        {state === 'over'
          ? t('abTests.standing.cancelled')
          : endsAt === null
            ? t('abTests.standing.sending', { sample: formatNumber(plan?.sample ?? 0) })
            : t('abTests.standing.measuring', { time: formatDateTime(endsAt) })}
      </Banner>
    );
  const letter = variantLetter(chosen?.variant ?? verdict.variant ?? 0);
  const outcome =
    verdict.outcome === 'winner'
      ? t('abTests.verdict.winner', { letter: variantLetter(verdict.variant ?? 0) })
      : verdict.outcome === 'too_few'
        ? t('abTests.verdict.tooFew', { sample: formatNumber(plan?.sample ?? 0) })
        : t('abTests.verdict.noDifference');
  const next = chosen
    ? t('abTests.verdict.sent', { letter })
    : waiting > 0
      ? t('abTests.verdict.choose', { n: waiting, number: formatNumber(waiting) })
      : '';
  return (
    <Banner tone={chosen || waiting === 0 ? 'info' : 'warning'}>
      {outcome} {next}
    </Banner>
  );
}

function Holdout({ holdout, rule }: { holdout: NonNullable<Test['holdout']>; rule: AbTest }) {
  const line = ({ contacts, wrote, interval }: typeof holdout.heldOut) =>
    `${formatShare(wrote, contacts)}${interval ? ` (${intervalText(interval)})` : ''}`;
  return (
    <section className="border-t border-border pt-4">
      <h3 className="font-semibold">{t('abTests.holdout.title')}</h3>
      <p className="text-sm text-muted">
        {t('abTests.holdout.purpose', { window: hoursText(rule.windowHours) })}
      </p>
      <dl className="mt-2 grid grid-cols-1 gap-x-6 gap-y-2 sm:grid-cols-2">
        {(['reached', 'heldOut'] as const).map((name) => (
          <div key={name}>
            <dt className="text-sm text-muted">
              {t(`abTests.holdout.${name}`, {
                n: holdout[name].contacts,
                number: formatNumber(holdout[name].contacts),
              })}
            </dt>
            <dd className="font-semibold tabular-nums">{line(holdout[name])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function useChoice(campaignId: string) {
  const client = useQueryClient();
  return useAction({
    mutationFn: (input: { campaignId: string; variant: number }) => api.campaigns.chooseVariant(input),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: orpc.campaigns.getTest.key({ input: { campaignId } }) });
      void client.invalidateQueries({ queryKey: orpc.campaigns.get.key({ input: { campaignId } }) });
    },
  });
}

function namesOf(campaign: CampaignDetails, rule: AbTest): string[] {
  const first = campaign.templateName ?? campaign.contentName ?? campaign.customMessage ?? '';
  return [
    first,
    ...rule.variants.map(
      ({ name, message }) => name ?? ('customMessage' in message ? message.customMessage : ''),
    ),
  ].map((name) => (name.length > 80 ? `${name.slice(0, 79)}…` : name));
}

function ruleText(rule: AbTest): string {
  return t('abTests.panel.rule', {
    metric: t(`abTests.metric.${rule.metric}`),
    window: hoursText(rule.windowHours),
    points: formatNumber(rule.smallestDifference),
  });
}

function intervalText({ low, high }: { low: number; high: number }): string {
  return t('abTests.panel.interval', { low: formatPercent(low), high: formatPercent(high) });
}
