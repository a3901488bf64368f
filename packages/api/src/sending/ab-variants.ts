import { rollupSourceSql } from '@app/database/analytics/rollup-source';
import { bindTo } from '@app/database/bind-value';
import type { CampaignAbTest, CampaignVariables } from '@app/database/campaigns/campaigns-tables';
import { previewAudience } from '@app/delivery/audience-preview';
import type { ChannelCapabilities } from '@app/domain/channels/channel-capabilities';
import type { RunSplit } from '@app/delivery/split-run';
import {
  planAbTest,
  turnsOf,
  type AbMetric,
  type AbPlan,
  type AbRule,
} from '@app/domain/campaigns/ab-test/ab-test';
import type { Audience, MessageCategory } from '@app/domain/delivery/audience';
import type { MessageVariant } from '@app/domain/delivery/run-message';
import type { ReadScope, WorkspaceScope } from '../platform/workspace-scope.ts';
import {
  categoryOf,
  findMessage,
  runMessageOf,
  whyUnsendable,
  type ChosenMessage,
} from './choose-message.ts';
import { countLinks, type SendingParts } from './count-links.ts';
import type { Sender } from './find-sender.ts';
import { addFieldTypes } from './message-variables.ts';

/** A variant behind the first, with its message as it can be sent now. */
export type FoundVariant = {
  message: Exclude<ChosenMessage, { kind: 'missing' }>;
  variables: CampaignVariables;
};

type VariantProblem = Exclude<ReturnType<typeof whyUnsendable>, null> | 'campaign_variants_differ';

/** The variants of a test from the second on, or the code of what keeps one from being sent beside `first`. */
export async function findVariants(
  scope: ReadScope,
  { variants }: Pick<CampaignAbTest, 'variants'>,
  { sender, first, channelId }: { sender: Sender; first: ChosenMessage; channelId: string | null },
): Promise<FoundVariant[] | VariantProblem> {
  const found: FoundVariant[] = [];
  for (const { message: choice, variables } of variants) {
    const message = await findMessage(scope, choice, channelId ?? undefined);
    if (message.kind === 'missing') return `${message.of}_not_found`;
    const why = whyUnsendable(message, sender.rules);
    if (why !== null) return why;
    if (message.kind === 'template' && !sender.hasTemplates) return 'template_not_approved';
    // Who may get a message follows from its category: a fair test has one audience.
    if (categoryOf(message, sender.rules) !== categoryOf(first, sender.rules))
      return 'campaign_variants_differ';
    found.push({ message, variables });
  }
  return found;
}

/** The variants as the engine freezes them, each with links of its own, or the code of what keeps a link from being counted. */
export async function variantMessages(
  scope: WorkspaceScope,
  parts: SendingParts,
  variants: readonly FoundVariant[],
  of: {
    businessName: string;
    rules: ChannelCapabilities;
    channelId: string;
    campaignId: string;
    countsLinks: boolean;
  },
): Promise<{ messages: MessageVariant[]; linkIds: string[] } | 'link_target_missing'> {
  const { businessName, rules, channelId, campaignId, countsLinks: isWanted } = of;
  const messages: MessageVariant[] = [];
  const linkIds: string[] = [];
  for (const { message, variables } of variants) {
    const filled = runMessageOf(message, await addFieldTypes(scope, variables), businessName, rules);
    const counted = await countLinks(scope, parts, filled, {
      ...{ message, rules, channelId, campaignId, contactId: null, isWanted },
    });
    if (counted === 'link_target_missing') return counted;
    const { content, language, inLanguages, links, variables: own } = counted.run;
    linkIds.push(...counted.linkIds);
    messages.push({
      ...{ content, variables: own },
      ...(language !== undefined && { language }),
      ...(inLanguages !== undefined && { inLanguages }),
      ...(links !== undefined && { links }),
    });
  }
  return { messages, linkIds };
}

/** How the engine assigns the variants of a campaign that starts; a retry repeats what the tried campaign assigned. */
export function splitOf(
  test: CampaignAbTest,
  variants: readonly FoundVariant[],
  plan: AbPlan | null,
): RunSplit {
  return {
    turns: plan === null ? [] : turnsOf([test.share, ...test.variants.map(({ share }) => share)]),
    testSize: plan === null || plan.remaining === 0 ? null : plan.testSize,
    holdoutPercent: plan === null ? 0 : test.holdoutPercent,
    templates: variants.map(({ message }) => (message.kind === 'template' ? message.template.id : null)),
  };
}

/** What is expected of a workspace that has sent nothing yet, in percent. */
const GUESSED: Record<AbMetric, number> = { read: 50, reply: 10, click: 5, conversion: 2 };
/** Where the rollups `r` count it, or how else it is counted since then. */
const COUNTED: Record<AbMetric, (workspace: () => string, since: string) => string> = {
  read: () => 'coalesce(sum(r.read), 0)',
  reply: () => 'coalesce(sum(r.replied), 0)',
  click: () => 'coalesce(sum(r.clicked), 0)',
  conversion: (workspace, since) => `(SELECT count(DISTINCT coalesce(v.contact_id, v.id)) FROM conversions v
    WHERE v.workspace_id = ${workspace()} AND v.occurred_at >= ${since} AND v.campaign_id IS NOT NULL AND v.cancelled_at IS NULL)`,
};
const DAY = 86_400_000;
const GUESSED_DELIVERY = 0.95;
/** Fewer deliveries than these say nothing. */
const LEAST_DELIVERED = 100;

export type Expected = { rate: number; isLearnt: boolean; deliveryRate: number };

/** How the campaigns of the last 90 days did, from the rollups: the expected rate in percent, and the share that arrived. */
export async function readExpected(scope: ReadScope, metric: AbMetric): Promise<Expected> {
  const { workspaceId } = scope;
  const now = scope.clock().getTime();
  const values: unknown[] = [];
  const bind = bindTo(values);
  const since = bind(new Date(now - 90 * DAY), 'timestamptz');
  const before = bind(new Date(now + DAY), 'timestamptz');
  const source = rollupSourceSql({}, { workspaceId, since, before, grouping: 'campaign', zone: 'UTC' }, bind);
  const { rows } = await scope.query<{ tried: number; delivered: number; hits: number }>(
    `SELECT coalesce(sum(r.sent + r.refused), 0)::float8 AS tried, coalesce(sum(r.delivered), 0)::float8 AS delivered,
            ${COUNTED[metric](() => bind(workspaceId, 'uuid'), since)}::float8 AS hits
       FROM ${source} r WHERE r.campaign_id IS NOT NULL`,
    values,
  );
  const { tried, delivered, hits } = rows[0] ?? { tried: 0, delivered: 0, hits: 0 };
  if (delivered < LEAST_DELIVERED)
    return { rate: GUESSED[metric], isLearnt: false, deliveryRate: GUESSED_DELIVERY };
  const rate = Math.round((hits / delivered) * 1000) / 10;
  return {
    rate: Math.min(99, Math.max(0.5, rate)),
    isLearnt: true,
    deliveryRate: tried === 0 ? GUESSED_DELIVERY : Math.min(1, delivered / tried),
  };
}

/** What the rule of a test comes to for an audience, as things stand. */
export async function planTest(
  scope: ReadScope,
  rule: Omit<AbRule, 'windowHours' | 'decides' | 'expectedRate'> & { expectedRate?: number | undefined },
  {
    shares,
    ...asked
  }: { shares: readonly number[]; audience: Audience; category: MessageCategory; channelId: string | null },
): Promise<AbPlan & { receiving: number; expectedRate: number; isLearnt: boolean }> {
  const { receiving } = await previewAudience(scope, { workspaceId: scope.workspaceId, ...asked });
  const { rate, isLearnt, deliveryRate } = await readExpected(scope, rule.metric);
  const expectedRate = rule.expectedRate ?? rate;
  const plan = planAbTest({ ...rule, expectedRate }, { receiving, shares, deliveryRate });
  return { ...plan, receiving, expectedRate, isLearnt };
}
