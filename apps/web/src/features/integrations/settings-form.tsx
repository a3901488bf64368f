import { isCompleteRule } from '@app/domain/integrations/sync-filter';
import { syncFrequencies, type SyncFrequency } from '@app/domain/integrations/integration-rules';
import { useState } from 'react';
import { api } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { IntegrationForm } from './integration-form.tsx';
import { FilterRows } from './filter/filter-rows.tsx';
import type { Integration } from './integrations-queries.ts';
import { MappingRows } from './mapping-rows.tsx';

type Mapping = Integration['mapping'];

/** How often and what is exchanged. */
export function SettingsForm({ integration, onSaved }: { integration: Integration; onSaved: () => void }) {
  // What was here when the form opened: a change of another person meets the version.
  const [first] = useState(integration);
  const { kind, title } = first;
  const [frequency, setFrequency] = useState<SyncFrequency>(first.frequency);
  const [createsThere, setCreatesThere] = useState(first.createsThere);
  const [createsTag, setCreatesTag] = useState(first.createsTag ?? '');
  const [mapping, setMapping] = useState<Mapping>(first.mapping);
  const [takesOptIns, setTakesOptIns] = useState(first.takesOptIns);
  const [filter, setFilter] = useState(first.filter);
  const [showsFilter, setShowsFilter] = useState(false);
  const [showsMapping, setShowsMapping] = useState(false);
  const manages = can('settings:manage');
  const isDirty =
    frequency !== first.frequency ||
    createsThere !== first.createsThere ||
    createsTag !== (first.createsTag ?? '') ||
    takesOptIns !== first.takesOptIns ||
    JSON.stringify(mapping) !== JSON.stringify(first.mapping) ||
    JSON.stringify(filter) !== JSON.stringify(first.filter);
  return (
    <IntegrationForm
      {...{ integration, isDirty, manages, onSaved }}
      isReady={filter.every(isCompleteRule)}
      update={() =>
        api.integrations.update({
          ...{ kind, version: first.version, frequency, mapping, filter, createsThere },
          createsTag: createsTag.trim() || null,
          ...(takesOptIns !== null && { takesOptIns }),
        })
      }
    >
      <Field label={t('integrations.frequency')}>
        <Select
          value={frequency}
          disabled={!manages}
          onChange={setFrequency}
          options={syncFrequencies.map((value) => ({ value, label: t(`integrations.frequency.${value}`) }))}
        />
      </Field>
      {first.takesContacts ? (
        <Checkbox
          label={t('integrations.createsThere', { name: title })}
          hint={t('integrations.createsThereHint')}
          checked={createsThere}
          onChange={({ target }) => setCreatesThere(target.checked)}
        />
      ) : null}
      {createsThere ? (
        <Field label={t('integrations.createsTag')} hint={t('integrations.createsTagHint')}>
          <Input
            value={createsTag}
            maxLength={60}
            autoComplete="off"
            onChange={({ target }) => setCreatesTag(target.value)}
          />
        </Field>
      ) : null}
      {takesOptIns === null ? null : (
        <Checkbox
          label={t('integrations.takesOptIns', { name: title })}
          hint={t('integrations.takesOptInsHint')}
          checked={takesOptIns}
          onChange={({ target }) => setTakesOptIns(target.checked)}
        />
      )}
      {/* The service is asked for its fields when they are looked at. */}
      <details onToggle={({ currentTarget: { open } }) => setShowsFilter((before) => before || open)}>
        <summary className="cursor-pointer font-medium">
          {filter.length === 0
            ? t('integrations.filter')
            : t('integrations.filterCount', { n: filter.length })}
        </summary>
        {showsFilter ? (
          <FilterRows integration={first} filter={first.filter} onChange={setFilter} isLocked={!manages} />
        ) : null}
      </details>
      <details onToggle={({ currentTarget: { open } }) => setShowsMapping((before) => before || open)}>
        <summary className="cursor-pointer font-medium">{t('integrations.mapping')}</summary>
        {showsMapping ? (
          <MappingRows integration={first} mapping={mapping} onChange={setMapping} isLocked={!manages} />
        ) : null}
      </details>
    </IntegrationForm>
  );
}
