import { abLimits, type AbDecider, type AbMetric } from '@app/domain/campaigns/ab-test/ab-test';
import {
  emptyMessage,
  isMessageEmpty,
  toMessageChoice,
  toVariables,
  type KnownFields,
  type MessageDraft,
} from '../../sending/message/message-draft.ts';
import type { CampaignDetails } from '../campaigns-queries.ts';

/** A variant from the second on while it is being written. */
export interface VariantDraft {
  message: MessageDraft;
  contentId: string | null;
  /** A text of one's own is being written instead of a template. */
  isCustom: boolean;
  share: string;
}

/** A test while it is being planned. Numbers are as they were typed. */
export interface AbTestDraft {
  metric: AbMetric;
  /** Null for that of the last campaigns. */
  expectedRate: string | null;
  smallestDifference: string;
  windowHours: number;
  holdoutPercent: string;
  decides: AbDecider;
  share: string;
  variants: readonly VariantDraft[];
}

export const emptyVariant: VariantDraft = {
  message: emptyMessage,
  ...{ contentId: null, isCustom: false, share: '' },
};

export const usualAbTest: AbTestDraft = {
  metric: 'read',
  expectedRate: null,
  smallestDifference: '5',
  windowHours: abLimits.window.usual,
  holdoutPercent: '0',
  decides: 'automatic',
  share: '50',
  variants: [{ ...emptyVariant, share: '50' }],
};

/** The shares of all variants, the first of them that of the message of the campaign itself. */
export function sharesOf({ share, variants }: AbTestDraft): number[] {
  return [share, ...variants.map((variant) => variant.share)].map(Number);
}

export function areSharesWhole(test: AbTestDraft): boolean {
  const shares = sharesOf(test);
  return (
    shares.every((share) => Number.isInteger(share) && share >= 1) &&
    shares.reduce((sum, share) => sum + share, 0) === 100
  );
}

/** So many variants with equal shares; what does not divide goes to the first. */
export function withVariants(test: AbTestDraft, variants: readonly VariantDraft[]): AbTestDraft {
  const each = Math.floor(100 / (variants.length + 1));
  return {
    ...test,
    share: String(100 - each * variants.length),
    variants: variants.map((variant) => ({ ...variant, share: String(each) })),
  };
}

function isBetween(value: string, least: number, most: number): boolean {
  return value.trim() !== '' && Number(value) >= least && Number(value) <= most;
}

/** What the plan needs: numbers within their limits, and shares that are a whole. */
export function isRuleComplete(test: AbTestDraft): boolean {
  const { expectedRate, smallestDifference, holdoutPercent } = test;
  return (
    areSharesWhole(test) &&
    (expectedRate === null || isBetween(expectedRate, 0.1, 99.9)) &&
    isBetween(smallestDifference, 0.1, 50) &&
    isBetween(holdoutPercent, 0, abLimits.holdoutPercent) &&
    Number.isInteger(Number(holdoutPercent))
  );
}

export function isAbTestComplete(test: AbTestDraft | null): boolean {
  if (test === null) return true;
  const areWritten = test.variants.every(
    ({ message, contentId }) => contentId !== null || !isMessageEmpty(message),
  );
  return areWritten && isRuleComplete(test);
}

/** In the words of the API. */
export function toAbTest(test: AbTestDraft | null, fields: KnownFields) {
  if (test === null) return null;
  const { metric, windowHours, decides } = test;
  return {
    ...{ metric, windowHours, decides },
    ...(test.expectedRate !== null && { expectedRate: Number(test.expectedRate) }),
    smallestDifference: Number(test.smallestDifference),
    holdoutPercent: Number(test.holdoutPercent),
    share: Number(test.share),
    variants: test.variants.flatMap(({ message, contentId, share }) => {
      const choice = contentId === null ? toMessageChoice(message) : { contentId };
      if (choice === null) return [];
      // The server knows the placeholders of each message, and what fills them by default.
      const variables = toVariables(Object.keys(message.variables), message.variables, fields);
      return [{ message: choice, variables, share: Number(share) }];
    }),
  };
}

/** A stored test in the form. */
export function fromAbTest(test: CampaignDetails['abTest']): AbTestDraft | null {
  if (test === null) return null;
  const { metric, windowHours, decides } = test;
  return {
    ...{ metric, windowHours, decides },
    expectedRate: String(test.expectedRate),
    smallestDifference: String(test.smallestDifference),
    holdoutPercent: String(test.holdoutPercent),
    share: String(test.share),
    variants: test.variants.map(({ message, variables, share }) => ({
      message: {
        templateId: 'templateId' in message ? message.templateId : null,
        customMessage: 'customMessage' in message ? message.customMessage : '',
        inContactLanguage: 'templateId' in message ? (message.inContactLanguage ?? false) : true,
        variables,
      },
      contentId: 'contentId' in message ? message.contentId : null,
      isCustom: 'customMessage' in message,
      share: String(share),
    })),
  };
}
