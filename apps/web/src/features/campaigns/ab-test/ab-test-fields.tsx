import { abLimits, abMetrics, type AbDecider, type AbMetric } from '@app/domain/campaigns/ab-test/ab-test';
import type { ChosenAudience } from '@app/domain/delivery/audience';
import { useQuery } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { orpc } from '../../../shared/api.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { NumberInput } from '../../../shared/languages/number-input.tsx';
import { t } from '../../../shared/messages.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { CustomMessageField } from '../../sending/message/custom-message-field.tsx';
import { variablesOf } from '../../sending/message/message-draft.ts';
import { useTemplate } from '../../sending/message/template-queries.ts';
import { VariableFields } from '../../sending/message/variable-fields.tsx';
import { useContent, variablesOfContent } from '../campaign-contents.tsx';
import type { toCampaignMessage } from '../campaign-form-values.ts';
import { TemplateField } from '../template-field.tsx';
import {
  areSharesWhole,
  emptyVariant,
  isRuleComplete,
  sharesOf,
  withVariants,
  type AbTestDraft,
  type VariantDraft,
} from './ab-test-draft.ts';
import { hoursText, variantLetter } from './ab-test-words.ts';

export interface AbTestFieldsProps {
  test: AbTestDraft;
  /** The message of the campaign, which is variant A; null while there is none. */
  message: ReturnType<typeof toCampaignMessage>;
  audience: ChosenAudience;
  channelId: string | null;
  onChange: (test: AbTestDraft) => void;
}

const windows = [1, 4, 12, 24, 72, 168];

/** The variants, the rule that names a winner, and what it needs. */
export function AbTestFields({ test, message, audience, channelId, onChange }: AbTestFieldsProps) {
  const change = (patch: Partial<AbTestDraft>) => onChange({ ...test, ...patch });
  const changeVariant = (index: number, patch: Partial<VariantDraft>) =>
    change({
      variants: test.variants.map((variant, at) => (at === index ? { ...variant, ...patch } : variant)),
    });
  const hours = windows.filter((one) => test.metric !== 'reply' || one <= abLimits.window.mostReply);
  const plan = usePlan({ test, message, audience, channelId });
  return (
    <div className="flex flex-col gap-4 rounded-card border border-border p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="min-w-40 flex-1 font-medium">{t('abTests.form.first')}</p>
        <ShareField letter={variantLetter(0)} value={test.share} onChange={(share) => change({ share })} />
      </div>
      {test.variants.map((variant, index) => (
        <VariantFields
          // Variants have no name of their own: their place is what they are.
          key={variantLetter(index + 1)}
          letter={variantLetter(index + 1)}
          variant={variant}
          onChange={(patch) => changeVariant(index, patch)}
          onRemove={
            test.variants.length > 1
              ? () =>
                  onChange(
                    withVariants(
                      test,
                      test.variants.filter((_, at) => at !== index),
                    ),
                  )
              : undefined
          }
        />
      ))}
      {test.variants.length < abLimits.variants - 1 ? (
        <Button
          size="small"
          className="self-start"
          icon={<Plus aria-hidden />}
          onClick={() => onChange(withVariants(test, [...test.variants, emptyVariant]))}
        >
          {t('abTests.form.add')}
        </Button>
      ) : null}
      {areSharesWhole(test) ? null : (
        <p role="alert" className="text-sm text-danger">
          {t('abTests.form.shares')}
        </p>
      )}
      <div className="grid grid-cols-1 gap-3 border-t border-border pt-4 sm:grid-cols-2">
        <Field label={t('abTests.form.metric')}>
          <Select<AbMetric>
            value={test.metric}
            onChange={(metric) =>
              change({
                metric,
                expectedRate: null,
                windowHours:
                  metric === 'reply'
                    ? Math.min(test.windowHours, abLimits.window.mostReply)
                    : test.windowHours,
              })
            }
            options={abMetrics.map((value) => ({ value, label: t(`abTests.metric.${value}`) }))}
          />
        </Field>
        <Field label={t('abTests.form.window')} hint={t('abTests.form.windowHint')}>
          <Select
            value={String(test.windowHours)}
            onChange={(value) => change({ windowHours: Number(value) })}
            options={[...new Set([...hours, test.windowHours])]
              .toSorted((one, other) => one - other)
              .map((value) => ({ value: String(value), label: hoursText(value) }))}
          />
        </Field>
      </div>
      <details className="group">
        <summary className="cursor-pointer text-sm font-medium text-primary">
          {t('abTests.form.more')}
        </summary>
        <div className="mt-3 grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Field label={t('abTests.form.difference')} hint={t('abTests.form.differenceHint')}>
            <NumberInput
              value={test.smallestDifference}
              onChange={(smallestDifference) => change({ smallestDifference })}
            />
          </Field>
          <Field label={t('abTests.form.expected')} hint={t('abTests.form.expectedHint')}>
            <NumberInput
              value={test.expectedRate ?? (plan.data ? String(plan.data.expectedRate) : '')}
              onChange={(expectedRate) => change({ expectedRate: expectedRate === '' ? null : expectedRate })}
            />
          </Field>
          <Field label={t('abTests.form.decides')}>
            <Select<AbDecider>
              value={test.decides}
              onChange={(decides) => change({ decides })}
              options={[
                { value: 'automatic', label: t('abTests.decides.automatic') },
                { value: 'person', label: t('abTests.decides.person') },
              ]}
            />
          </Field>
          <Field label={t('abTests.form.holdout')} hint={t('abTests.form.holdoutHint')}>
            <NumberInput
              value={test.holdoutPercent}
              onChange={(holdoutPercent) => change({ holdoutPercent })}
            />
          </Field>
        </div>
      </details>
      {!isRuleComplete(test) && areSharesWhole(test) ? (
        <p role="alert" className="text-sm text-danger">
          {t('abTests.form.numbers')}
        </p>
      ) : null}
      <PlanLine plan={plan.data} decides={test.decides} />
    </div>
  );
}

function ShareField({
  letter,
  value,
  onChange,
}: {
  letter: string;
  value: string;
  onChange: (share: string) => void;
}) {
  return (
    <Field label={t('abTests.form.share', { letter })} className="w-28">
      <NumberInput value={value} onChange={onChange} />
    </Field>
  );
}

function VariantFields({
  letter,
  variant,
  onChange,
  onRemove,
}: {
  letter: string;
  variant: VariantDraft;
  onChange: (patch: Partial<VariantDraft>) => void;
  onRemove: (() => void) | undefined;
}) {
  const { message, contentId, isCustom } = variant;
  const { content, isGone } = useContent(contentId);
  const { template } = useTemplate(message.templateId);
  const names = contentId === null ? variablesOf(message, template) : variablesOfContent(content);
  return (
    <section
      aria-label={t('abTests.variant', { letter })}
      className="flex flex-col gap-3 border-t border-border pt-4"
    >
      <div className="flex items-center justify-between gap-3">
        <h4 className="font-semibold">{t('abTests.variant', { letter })}</h4>
        <div className="flex items-end gap-2">
          <ShareField letter={letter} value={variant.share} onChange={(share) => onChange({ share })} />
          {onRemove ? (
            <IconButton label={t('abTests.form.remove', { letter })} onClick={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          ) : null}
        </div>
      </div>
      <TemplateField
        message={message}
        isCustom={isCustom}
        content={content}
        isContentGone={isGone}
        onContent={({ id }) =>
          onChange({
            isCustom: false,
            contentId: id,
            message: { ...message, templateId: null, customMessage: '' },
          })
        }
        onTemplate={(templateId) =>
          onChange({
            isCustom: false,
            contentId: null,
            message: { ...message, templateId, customMessage: '' },
          })
        }
        onInContactLanguage={(inContactLanguage) => onChange({ message: { ...message, inContactLanguage } })}
        onCustom={() =>
          onChange({ isCustom: true, contentId: null, message: { ...message, templateId: null } })
        }
      />
      {isCustom ? (
        <CustomMessageField
          value={message.customMessage}
          onChange={(customMessage) => onChange({ message: { ...message, customMessage } })}
        />
      ) : null}
      <VariableFields
        names={names}
        variables={message.variables}
        onChange={(variables) => onChange({ message: { ...message, variables } })}
      />
    </section>
  );
}

/** What the rule comes to for the chosen contacts; asked again a moment after the last change. */
function usePlan({ test, message, audience, channelId }: Omit<AbTestFieldsProps, 'onChange'>) {
  const { metric, expectedRate, smallestDifference, holdoutPercent } = test;
  const isAsked = message !== null && isRuleComplete(test);
  const input = useDebounced({
    ...{ message: message ?? { customMessage: '-' }, audience, channelId, metric, shares: sharesOf(test) },
    smallestDifference: Number(smallestDifference),
    holdoutPercent: Number(holdoutPercent),
    ...(expectedRate === null ? {} : { expectedRate: Number(expectedRate) }),
  });
  return useQuery(
    orpc.campaigns.planTest.queryOptions({ input, enabled: isAsked, placeholderData: whileReachable }),
  );
}

type Plan = NonNullable<ReturnType<typeof usePlan>['data']>;

function PlanLine({ plan, decides }: { plan: Plan | undefined; decides: AbDecider }) {
  if (!plan || plan.receiving === 0) return null;
  const { sample, testSize, remaining, holdout, receiving, detectable } = plan;
  if (plan.isTooSmall)
    return (
      <Banner tone="warning">
        {t('abTests.plan.tooSmall', {
          n: receiving,
          number: formatNumber(receiving),
          sample: formatNumber(sample),
        })}{' '}
        {detectable === null
          ? t('abTests.plan.nothing')
          : t('abTests.plan.detectable', { points: formatNumber(Math.ceil(detectable * 10) / 10) })}
      </Banner>
    );
  return (
    <p role="status" className="text-sm text-muted">
      {t('abTests.plan.sample', { sample: formatNumber(sample), testSize: formatNumber(testSize) })}{' '}
      {t(decides === 'automatic' ? 'abTests.plan.restAutomatic' : 'abTests.plan.restPerson', {
        ...{ n: remaining, number: formatNumber(remaining) },
      })}{' '}
      {holdout > 0 ? t('abTests.plan.holdout', { n: holdout, number: formatNumber(holdout) }) : null}{' '}
      {plan.isLearnt ? null : t('abTests.plan.guessed')}
    </p>
  );
}
