import type { ChosenAudience } from '@app/domain/delivery/audience';
import { useState } from 'react';
import { useCustomFields } from '../../../shared/contacts/custom-fields.ts';
import { formatMoney } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { Combobox } from '../../../ui/controls/combobox.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { toVariables, variablesOf } from '../../sending/message/message-draft.ts';
import { useApprovedTemplates, useTemplate } from '../../sending/message/template-queries.ts';
import { VariableFields } from '../../sending/message/variable-fields.tsx';
import { useChannels } from '../../sending/number-field.tsx';
import { usePreflight } from '../../sending/preflight-panel.tsx';
import { limits, type FallbackDraft } from './fallback-draft.ts';
import { limitText } from './limit-text.ts';

const none = { customMessage: '', variables: {} };

/** What follows where the message does not arrive in time: a template through another number. Nothing for a channel that cannot withdraw a message. */
export function FallbackFields({
  channelId,
  fallback,
  audience,
  onChange,
}: {
  channelId: string | null;
  fallback: FallbackDraft | null;
  audience: ChosenAudience;
  onChange: (fallback: FallbackDraft | null) => void;
}) {
  const channels = useChannels();
  const first = channels.find(({ id }) => id === channelId);
  const others = channels.filter(({ id, connection }) => id !== channelId && connection !== 'none');
  if (!first?.capabilities.withdraws || (others.length === 0 && fallback === null)) return null;
  const usual = others.find(({ isSender }) => isSender) ?? others[0];
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={t('campaigns.fallback.title')}
        hint={t('campaigns.fallback.hint')}
        checked={fallback !== null}
        onChange={({ target }) =>
          onChange(
            target.checked && usual
              ? { channelId: usual.id, templateId: null, variables: {}, afterSeconds: limits[1] }
              : null,
          )
        }
      />
      {fallback === null ? null : (
        <Chosen fallback={fallback} channels={others} audience={audience} onChange={onChange} />
      )}
    </div>
  );
}

function Chosen({
  fallback,
  channels,
  audience,
  onChange,
}: {
  fallback: FallbackDraft;
  channels: ReturnType<typeof useChannels>;
  audience: ChosenAudience;
  onChange: (fallback: FallbackDraft) => void;
}) {
  const [search, setSearch] = useState('');
  const { templates, isFetching, searched } = useApprovedTemplates(useDebounced(search.trim()));
  const { template, isGone } = useTemplate(fallback.templateId);
  const fields = useCustomFields();
  const { templateId, variables, channelId, afterSeconds } = fallback;
  const names = variablesOf({ templateId, ...none }, template);
  const preflight = usePreflight(templateId === null ? null : { templateId }, audience, channelId, {
    variables: toVariables(names, variables, fields),
  });
  const times = limits.includes(afterSeconds) ? limits : [...limits, afterSeconds];
  return (
    <div className="flex flex-col gap-3 rounded-card border border-border p-4">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        <Field label={t('campaigns.fallback.after')}>
          <Select
            value={String(afterSeconds)}
            onChange={(value) => onChange({ ...fallback, afterSeconds: Number(value) })}
            options={times.map((value) => ({ value: String(value), label: limitText(value) }))}
          />
        </Field>
        <Field label={t('campaigns.fallback.number')}>
          <Select
            value={channelId}
            onChange={(value) => onChange({ ...fallback, channelId: value })}
            options={channels.map(({ id, displayName }) => ({ value: id, label: displayName ?? id }))}
          />
        </Field>
      </div>
      <Field
        label={t('campaigns.fallback.template')}
        error={isGone ? t('sending.failure.templateGone') : undefined}
      >
        <Combobox
          value={template ? { value: template.id, label: template.name } : null}
          options={templates.map(({ id, name, content }) => ({ value: id, label: name, hint: content }))}
          onSearch={setSearch}
          loading={isFetching}
          searchedHere={searched}
          placeholder={t('campaigns.form.templatePlaceholder')}
          emptyText={t('campaigns.form.noTemplates')}
          onChange={(option) => {
            const chosen = templates.find(({ id }) => id === option?.value);
            // Placeholders start with the contact's field of the same name, until the user chooses another value.
            const named = chosen ? variablesOf({ templateId: chosen.id, ...none }, chosen) : [];
            onChange({
              ...{ ...fallback, templateId: option?.value ?? null },
              variables: toVariables(named, {}, fields),
            });
          }}
        />
      </Field>
      <VariableFields
        names={names}
        variables={variables}
        onChange={(next) => onChange({ ...fallback, variables: next })}
      />
      {preflight.data && templateId !== null ? (
        <p className="text-sm text-muted" role="status">
          {t('campaigns.fallback.cost', {
            n: preflight.data.receiving,
            cost: formatMoney(preflight.data.estimatedCost, preflight.data.priceCurrency),
          })}
        </p>
      ) : null}
    </div>
  );
}
