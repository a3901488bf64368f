import { mappingDirections, mappingWinners } from '@app/domain/integrations/contact-connector';
import { syncFrequencies, type SyncFrequency } from '@app/domain/integrations/integration-rules';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { IntegrationForm } from './integration-form.tsx';
import type { Integration } from './integrations-queries.ts';

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
  const manages = can('settings:manage');
  const isDirty =
    frequency !== first.frequency ||
    createsThere !== first.createsThere ||
    createsTag !== (first.createsTag ?? '') ||
    takesOptIns !== first.takesOptIns ||
    JSON.stringify(mapping) !== JSON.stringify(first.mapping);
  return (
    <IntegrationForm
      {...{ integration, isDirty, manages, onSaved }}
      update={() =>
        api.integrations.update({
          ...{ kind, version: first.version, frequency, mapping, createsThere },
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
      <details>
        <summary className="cursor-pointer font-medium">{t('integrations.mapping')}</summary>
        <MappingRows kind={kind} title={title} mapping={mapping} onChange={setMapping} isLocked={!manages} />
      </details>
    </IntegrationForm>
  );
}

/** The fields that no mapping goes without. */
const FIXED = ['name', 'phone', 'opt_out'];

function MappingRows({
  kind,
  title,
  mapping,
  onChange,
  isLocked,
}: {
  kind: string;
  title: string;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
  isLocked: boolean;
}) {
  const { data: theirs } = useQuery(orpc.integrations.listFields.queryOptions({ input: { kind } }));
  const { data: custom } = useQuery(orpc.customFields.list.queryOptions({ input: {} }));
  const change = (place: number, patch: Partial<Mapping[number]>) =>
    onChange(mapping.map((one, at) => (at === place ? { ...one, ...patch } : one)));
  const ours = [
    ...(['name', 'phone', 'email', 'language'] as const).map((value) => ({
      value: value as string,
      label: t(`integrations.ours.${value}`),
    })),
    { value: 'opt_out', label: t('integrations.ours.optOut') },
    ...(custom?.items ?? []).map(({ key, label }) => ({ value: `custom.${key}`, label })),
  ];
  const labelOf = (name: string) => ours.find(({ value }) => value === name)?.label ?? name;
  const theirOptions = (name: string) => {
    const known = (theirs?.items ?? []).map((one) => ({ value: one.name, label: one.label }));
    return known.some(({ value }) => value === name) ? known : [{ value: name, label: name }, ...known];
  };
  const free = ours.filter(({ value }) => value !== 'opt_out' && !mapping.some((one) => one.ours === value));
  const unused = (theirs?.items ?? []).find(
    ({ name, isReadOnly }) => !isReadOnly && !mapping.some((one) => one.theirs === name),
  );
  return (
    <div className="mt-3 grid gap-3">
      <p className="text-sm text-muted">{t('integrations.mappingText')}</p>
      {mapping.map((one, place) => {
        const isFixed = FIXED.includes(one.ours);
        const isConsent = one.ours === 'opt_out';
        return (
          <div
            key={one.ours}
            className="grid gap-2 rounded-card border border-border p-3 sm:grid-cols-[1fr_1fr_1fr_1fr_auto]"
          >
            <span className="self-center font-medium wrap-anywhere">{labelOf(one.ours)}</span>
            <Select
              label={t('integrations.theirsOf', { field: labelOf(one.ours), name: title })}
              value={one.theirs}
              disabled={isLocked || isFixed}
              onChange={(value) => change(place, { theirs: value })}
              options={theirOptions(one.theirs)}
            />
            <Select
              label={t('integrations.directionOf', { field: labelOf(one.ours) })}
              value={one.direction}
              disabled={isLocked || isConsent}
              onChange={(value) => change(place, { direction: value })}
              options={mappingDirections.map((value) => ({
                value,
                label: t(`integrations.direction.${value}`),
              }))}
            />
            <Select
              label={t('integrations.winsOf', { field: labelOf(one.ours) })}
              value={one.wins}
              disabled={isLocked || isConsent}
              onChange={(value) => change(place, { wins: value })}
              options={mappingWinners.map((value) => ({
                value,
                label: t(`integrations.wins.${value}`, { name: title }),
              }))}
            />
            {isFixed || isLocked ? null : (
              <IconButton
                label={t('integrations.removeField', { field: labelOf(one.ours) })}
                onClick={() => onChange(mapping.filter((_, at) => at !== place))}
              >
                <Trash2 aria-hidden />
              </IconButton>
            )}
          </div>
        );
      })}
      {free.length > 0 && unused && !isLocked ? (
        <Field label={t('integrations.addField')}>
          <Select
            value={null}
            placeholder={t('integrations.chooseField')}
            onChange={(value) =>
              onChange([...mapping, { ours: value, theirs: unused.name, direction: 'both', wins: 'newest' }])
            }
            options={free}
          />
        </Field>
      ) : null}
    </div>
  );
}
