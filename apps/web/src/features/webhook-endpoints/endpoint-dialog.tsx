import { webhookLimits } from '@app/domain/webhook-endpoints/webhook-rules';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Radio } from '../../ui/controls/choice.tsx';
import { MultiSelect } from '../../ui/controls/combobox.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import {
  eventTypesOptions,
  webhookErrorMessage,
  webhookKeys,
  type WebhookEndpoint,
} from './webhook-queries.ts';

/** Adds an endpoint, or changes one. `onAdded` gets the id of a new one. */
export function EndpointDialog({
  endpoint,
  onAdded,
  onClose,
}: {
  endpoint: WebhookEndpoint | null;
  onAdded?: (endpointId: string) => void;
  onClose: () => void;
}) {
  // What was here when the dialog opened: a change of somebody else meets the version.
  const [first] = useState(endpoint);
  const [url, setUrl] = useState(first?.url ?? '');
  const [description, setDescription] = useState(first?.description ?? '');
  const [isAll, setIsAll] = useState((first?.eventTypes.length ?? 0) === 0);
  const [eventTypes, setEventTypes] = useState<readonly string[]>(first?.eventTypes ?? []);
  const [perSecond, setPerSecond] = useState(String(first?.perSecond ?? webhookLimits.perSecond.usual));
  const known = useQuery(eventTypesOptions()).data?.items ?? [];
  const queryClient = useQueryClient();
  const parts = {
    ...{ url: url.trim(), description: description.trim(), perSecond: Number(perSecond) },
    eventTypes: isAll ? [] : [...eventTypes],
  };
  const save = useAction({
    mutationFn: () =>
      first
        ? api.webhookEndpoints.update({ ...parts, endpointId: first.id, version: first.version })
        : api.webhookEndpoints.create(parts),
    onSuccess: async ({ id }) => {
      notify.success(t('webhookEndpoints.saved'));
      for (const queryKey of webhookKeys()) await queryClient.invalidateQueries({ queryKey });
      closeSaved(first || !onAdded ? onClose : () => onAdded(id));
    },
  });
  const isDirty =
    url !== (first?.url ?? '') ||
    description !== (first?.description ?? '') ||
    isAll !== ((first?.eventTypes.length ?? 0) === 0) ||
    eventTypes.join() !== (first?.eventTypes ?? []).join() ||
    perSecond !== String(first?.perSecond ?? webhookLimits.perSecond.usual);
  const closeSaved = useUnsavedWarning(isDirty && !save.isSuccess, 'dialog');
  const failure = save.error ? readFailure(save.error) : undefined;
  const isAtUrl = failure?.field === 'url';
  const isRate =
    /^\d{1,3}$/.test(perSecond) && parts.perSecond >= 1 && parts.perSecond <= webhookLimits.perSecond.most;
  const optionOf = (type: string) => ({ value: type, label: type });
  return (
    <FormDialog
      title={t(first ? 'webhookEndpoints.editTitle' : 'webhookEndpoints.addTitle')}
      submitLabel={t('webhookEndpoints.save')}
      isReady={parts.url !== '' && (isAll || eventTypes.length > 0) && isRate}
      whyNot={t('webhookEndpoints.saveNeeds')}
      isSaving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {failure && !isAtUrl ? <Banner tone="danger">{webhookErrorMessage(save.error)}</Banner> : null}
      <Field
        label={t('webhookEndpoints.url')}
        hint={t('webhookEndpoints.urlHint')}
        error={isAtUrl ? webhookErrorMessage(save.error) : undefined}
        required
      >
        <Input
          type="url"
          dir="ltr"
          value={url}
          maxLength={webhookLimits.url}
          autoComplete="off"
          placeholder="https://example.com/webhooks"
          onChange={({ target }) => {
            setUrl(target.value);
            save.reset();
          }}
        />
      </Field>
      <Field label={t('webhookEndpoints.description')}>
        <Input
          value={description}
          maxLength={webhookLimits.description}
          autoComplete="off"
          onChange={({ target }) => setDescription(target.value)}
        />
      </Field>
      <FieldGroup legend={t('webhookEndpoints.events')}>
        <Radio
          name="events"
          label={t('webhookEndpoints.eventsAll')}
          checked={isAll}
          onChange={() => setIsAll(true)}
        />
        <Radio
          name="events"
          label={t('webhookEndpoints.eventsSome')}
          checked={!isAll}
          onChange={() => setIsAll(false)}
        />
      </FieldGroup>
      {isAll ? null : (
        <Field label={t('webhookEndpoints.chooseEvents')} required>
          <MultiSelect
            value={eventTypes.map(optionOf)}
            options={known.map(({ type }) => optionOf(type))}
            onChange={(options) => setEventTypes(options.map(({ value }) => value))}
          />
        </Field>
      )}
      <details>
        <summary className="cursor-pointer text-sm text-muted">{t('webhookEndpoints.more')}</summary>
        <div className="mt-3">
          <Field label={t('webhookEndpoints.rate')}>
            <Input
              type="number"
              min={1}
              max={webhookLimits.perSecond.most}
              value={perSecond}
              onChange={({ target }) => setPerSecond(target.value)}
            />
          </Field>
        </div>
      </details>
    </FormDialog>
  );
}
