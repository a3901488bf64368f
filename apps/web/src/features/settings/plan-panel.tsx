import { planIds } from '@app/domain/settings/plan-usage';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { SETTINGS_TOAST_MS } from '../../shared/actions/settings-toast.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDate, formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { usageOptions } from './settings-queries.ts';
import { UseBar } from './use-bar.tsx';

/** The plan of the workspace, when its trial ends, and what is used of its limits. */
export function PlanPanel() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(usageOptions());
  const choose = useAction({
    ...orpc.settings.updatePlan.mutationOptions(),
    onSuccess: (usage) => {
      queryClient.setQueryData(usageOptions().queryKey, usage);
      notify.success(t('settings.plan.changed'), { duration: SETTINGS_TOAST_MS });
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
  if (!data)
    return error ? (
      <Panel title={t('settings.plan.title')} purpose={t('settings.plan.purpose')}>
        <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />
      </Panel>
    ) : null;
  const { id, trialEndsAt, isTrialOver } = data.plan;
  const nameOf = (plan: typeof id) => t(`settings.plan.${plan}`);
  return (
    <Panel title={t('settings.plan.title')} purpose={t('settings.plan.purpose')}>
      <div className="flex flex-col gap-4">
        {can('settings:manage') ? (
          <Field label={t('settings.plan.name')} hint={t('settings.plan.hint')} className="max-w-80">
            <Select<typeof id>
              value={choose.isPending ? choose.variables.plan : id}
              onChange={(plan) => {
                if (plan !== id) choose.mutate({ plan });
              }}
              options={planIds.map((value) => ({ value, label: nameOf(value) }))}
            />
          </Field>
        ) : (
          <p className="font-semibold">{nameOf(id)}</p>
        )}
        {trialEndsAt ? (
          <p className="text-muted">
            {t(isTrialOver ? 'settings.plan.trialOver' : 'settings.plan.trial', {
              day: formatDate(trialEndsAt),
            })}
          </p>
        ) : null}
        {(['messages', 'contacts'] as const).map((kind) => {
          const { used, most, level } = data.plan[kind];
          const count = formatNumber(used);
          return (
            <UseBar
              key={kind}
              label={t(`settings.plan.${kind}`)}
              hint={
                most === null
                  ? t('settings.plan.unlimited', { used: count })
                  : t('settings.plan.of', { used: count, most: formatNumber(most) })
              }
              share={most === null ? null : used / most}
              level={level}
            />
          );
        })}
      </div>
    </Panel>
  );
}
