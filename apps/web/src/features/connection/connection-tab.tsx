import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { errorMessage } from '../../shared/error-message.ts';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { readOneOf, readText, useUrlState } from '../../shared/url-state.ts';
import { useMessages } from '../../shared/use-messages.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { connectionKeys, connectionsOptions, type Connection } from './connection-queries.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { NumbersPart } from './numbers-part.tsx';
import { TemplatesPart } from './templates-part.tsx';
import { SavedTogether } from './unsaved-here.tsx';
import { WebhookPart } from './webhook-part.tsx';

const parts = ['api', 'webhook', 'numbers', 'templates'] as const;
type Part = (typeof parts)[number];
/** In the address, for a number that is not connected yet. */
const NEW = 'new';

/** How the workspace reaches its messaging platform: what opens it, and how it hears of what happens. */
export function ConnectionTab() {
  const hasWords = useMessages('connection');
  useLiveQuery(['channels'], connectionKeys());
  const { data, error, refetch } = useQuery(connectionsOptions());
  const [{ part, number }, setUrl] = useUrlState((search) => ({
    part: readOneOf(search, 'part', parts),
    number: readText(search, 'number'),
  }));
  if (error && !data) return <ErrorState text={errorMessage(error)} onRetry={() => void refetch()} />;
  if (!data || !hasWords) return <Skeleton className="h-24" />;
  // Other kinds have pages of their own, with what is special about them.
  const [kind] = data.kinds;
  if (!kind) return null;
  const items = data.items.filter((one) => one.kind === kind.name);
  const connection =
    number === NEW
      ? undefined
      : (items.find(({ id }) => id === number) ?? items.find((one) => one.isDefault) ?? items[0]);

  const contents: Record<Part, ReactNode> = {
    api: (
      <ConnectionForm
        key={connection?.id ?? NEW}
        kind={kind}
        connection={connection}
        onCreated={({ id }) => setUrl({ number: id })}
      />
    ),
    webhook: <WebhookPart key={connection?.id ?? NEW} connection={connection} />,
    numbers: <NumbersPart key={connection?.id ?? NEW} connection={connection} />,
    templates: <TemplatesPart isOfAnother={connection?.isDefault !== true} />,
  };
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <ConnectionStatus
        connection={connection}
        hasOthers={items.some((one) => one !== connection && one.isConnected)}
      />
      {items.length > 0 ? (
        <ChooseNumber
          items={items}
          value={connection?.id ?? NEW}
          // A new number has nothing but the form that connects it.
          onChange={(id) =>
            setUrl({ number: id, ...(id === NEW && { part: 'api' as const }) }, { push: true })
          }
        />
      ) : null}
      <Tabs<Part>
        label={t('connection.title')}
        value={part}
        onChange={(next) => setUrl({ part: next }, { push: true })}
        tabs={[
          { value: 'api', label: t('connection.tab.api') },
          { value: 'webhook', label: t('connection.tab.webhook') },
          { value: 'numbers', label: t('connection.tab.numbers') },
          { value: 'templates', label: t('connection.tab.templates') },
        ]}
      >
        <SavedTogether key={`${part} ${connection?.id ?? NEW}`} maySave={can('settings:manage')}>
          {contents[part]}
        </SavedTogether>
      </Tabs>
    </div>
  );
}

function ChooseNumber({
  items,
  value,
  onChange,
}: {
  items: readonly Connection[];
  value: string;
  onChange: (id: string) => void;
}) {
  const isNew = value === NEW;
  return (
    <div className="flex flex-wrap items-end gap-2">
      {items.length > 1 || isNew ? (
        <Field label={t('connection.number')} className="min-w-48 flex-1">
          <NativeSelect value={value} onChange={({ target }) => onChange(target.value)}>
            {items.map(({ id, displayName, accountName }) => (
              <option key={id} value={id}>
                {[displayName || id, accountName].filter(Boolean).join(' · ')}
              </option>
            ))}
            {isNew ? <option value={NEW}>{t('connection.newNumber')}</option> : null}
          </NativeSelect>
        </Field>
      ) : null}
      {can('settings:manage') && !isNew ? (
        <Button icon={<Plus aria-hidden />} onClick={() => onChange(NEW)}>
          {t('connection.addNumber')}
        </Button>
      ) : null}
    </div>
  );
}
