import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { MoreOptions } from '../../ui/controls/more-options.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { DeliveriesList } from './deliveries-list.tsx';
import { IntegrationForm, useReadAnew } from './integration-form.tsx';
import { integrationErrorMessage, type Events, type Integration } from './integrations-queries.ts';

/** What a connection hears of; what was sent stands behind one press, open where something failed. */
export function EventsPart({ integration, onSaved }: { integration: Integration; onSaved: () => void }) {
  const { kind } = integration;
  const { data, error, refetch } = useQuery(orpc.integrationEvents.get.queryOptions({ input: { kind } }));
  if (!data && error)
    return <ErrorState text={integrationErrorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40" />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <EventsForm integration={integration} events={data} onSaved={onSaved} />
      <MoreOptions
        label={t('integrations.sentEventsOf', {
          ...{ delivered: data.delivered, waiting: data.waiting, failed: data.failed },
        })}
        isUsed={data.failed > 0}
      >
        <DeliveriesList integration={integration} events={data} />
      </MoreOptions>
    </div>
  );
}

function EventsForm({
  integration,
  events,
  onSaved,
}: {
  integration: Integration;
  events: Events;
  onSaved: () => void;
}) {
  const { kind, title, status } = integration;
  // What was here when the form opened: a change of another person meets the version.
  const [first] = useState(events);
  const [topics, setTopics] = useState(first.topics);
  const [target, setTarget] = useState(first.target);
  const readAnew = useReadAnew();
  const manages = can('settings:manage');
  const sendTest = useAction({
    mutationFn: () => api.integrationEvents.sendTest({ kind }),
    onSuccess: async () => {
      notify.success(t('integrations.testSent'));
      await readAnew();
    },
    onError: (problem) => notify.error(integrationErrorMessage(problem)),
  });
  const isDirty = JSON.stringify([topics, target]) !== JSON.stringify([first.topics, first.target]);
  const lacksTarget = first.hasTarget && first.target === null;
  return (
    <IntegrationForm
      {...{ integration, isDirty, manages, onSaved }}
      update={() =>
        api.integrationEvents.update({
          ...{ kind, version: first.version, target },
          topics: topics.filter(({ isOn }) => isOn).map(({ name }) => name),
        })
      }
      note={
        <>
          {first.hasHooks ? (
            <p className="text-sm text-muted">{t('integrations.hooks', { n: first.hooks, name: title })}</p>
          ) : null}
          {manages && status !== 'error' && (isDirty || lacksTarget) ? (
            <p className="text-sm text-muted">{t('integrations.testNeedsSave')}</p>
          ) : null}
        </>
      }
      action={
        <Button
          icon={<Send aria-hidden />}
          disabled={isDirty || status === 'error' || lacksTarget}
          loading={sendTest.isPending}
          onClick={() => sendTest.mutate()}
        >
          {t('integrations.sendTest')}
        </Button>
      }
    >
      {first.hasTarget ? (
        <TargetField kind={kind} value={target} onChange={setTarget} isLocked={!manages} />
      ) : null}
      <fieldset className="grid gap-2">
        <legend className="mb-2 font-medium">{t('integrations.topics', { name: title })}</legend>
        {topics.map(({ name, isOn }) => (
          <Checkbox
            key={name}
            label={t(`integrations.topic.${name}`)}
            checked={isOn}
            onChange={({ target: { checked } }) =>
              setTopics((before) => before.map((one) => (one.name === name ? { name, isOn: checked } : one)))
            }
          />
        ))}
      </fieldset>
    </IntegrationForm>
  );
}

function TargetField({
  kind,
  value,
  onChange,
  isLocked,
}: {
  kind: string;
  value: Events['target'];
  onChange: (target: Events['target']) => void;
  isLocked: boolean;
}) {
  const { data, error } = useQuery(orpc.integrationEvents.listTargets.queryOptions({ input: { kind } }));
  const items = data?.items ?? [];
  const known = value && !items.some(({ id }) => id === value.id) ? [value, ...items] : items;
  return (
    <Field
      label={t('integrations.target')}
      hint={error ? integrationErrorMessage(error) : t('integrations.targetHint')}
    >
      <Select
        value={value?.id ?? null}
        placeholder={t('integrations.chooseTarget')}
        disabled={isLocked}
        onChange={(id) => onChange(known.find((one) => one.id === id) ?? null)}
        options={known.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </Field>
  );
}
