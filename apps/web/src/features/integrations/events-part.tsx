import { useQuery } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { notify } from '../../ui/toast.ts';
import { DeliveriesList } from './deliveries-list.tsx';
import { IntegrationForm, useReadAnew } from './integration-form.tsx';
import { integrationErrorMessage, type Events, type Integration } from './integrations-queries.ts';

const tabs = ['settings', 'deliveries'] as const;

/** What a connection hears of, and what became of it. */
export function EventsPart({ integration, onSaved }: { integration: Integration; onSaved: () => void }) {
  const { kind } = integration;
  const [tab, setTab] = useState<(typeof tabs)[number]>('settings');
  const { data, error, refetch } = useQuery(orpc.integrationEvents.get.queryOptions({ input: { kind } }));
  if (!data && error)
    return <ErrorState text={integrationErrorMessage(error)} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40" />;
  return (
    <Tabs
      label={t('integrations.tabs')}
      value={tab}
      onChange={setTab}
      tabs={tabs.map((value) => ({
        value,
        label: t(`integrations.tab.${value}`),
        ...(value === 'deliveries' && data.failed > 0 && { count: data.failed }),
      }))}
    >
      <div className="pt-4">
        {tab === 'settings' ? (
          <EventsForm integration={integration} events={data} onSaved={onSaved} />
        ) : (
          <DeliveriesList integration={integration} events={data} />
        )}
      </div>
    </Tabs>
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
        first.hasHooks ? (
          <p className="text-sm text-muted">{t('integrations.hooks', { n: first.hooks, name: title })}</p>
        ) : null
      }
      action={
        <Button
          icon={<Send aria-hidden />}
          disabled={isDirty || status === 'error' || (first.hasTarget && first.target === null)}
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
