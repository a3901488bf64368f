import { conversionLimits } from '@app/domain/conversions/conversion-settings';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { FormState } from '../../shared/actions/form-state.tsx';
import { useVersionedForm } from '../../shared/actions/use-versioned-form.ts';
import { api, orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../ui/states.tsx';
import { conversionsError, settingsOptions, type ConversionSettings } from './conversions-queries.ts';

const { least, most } = conversionLimits.windowDays;

/** The attribution window, and whether links are counted at all. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...settingsOptions, staleTime: 0 });
  if (data) return <SettingsForm saved={data} onClose={onClose} />;
  return (
    <Dialog open title={t('conversions.settings')} onOpenChange={(open) => (open ? undefined : onClose())}>
      <FormState error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

function SettingsForm({ saved, onClose }: { saved: ConversionSettings; onClose: () => void }) {
  const queryClient = useQueryClient();
  const isSaved = useRef(false);
  const form = useVersionedForm({
    ...{ saved, valuesOf: (stored: ConversionSettings) => stored },
    async onSave({ windowDays, countsLinks, version }) {
      const stored = await api.conversions.updateSettings({ windowDays, countsLinks, version });
      queryClient.setQueryData(settingsOptions.queryKey, stored);
      void queryClient.invalidateQueries({ queryKey: orpc.conversions.getCampaign.key() });
      isSaved.current = true;
      return stored;
    },
    onReadAnew: () => queryClient.fetchQuery({ ...settingsOptions, staleTime: 0 }),
    savedText: () => t('conversions.saved'),
    conflictCode: 'conversion_settings_changed',
    errorMessage: conversionsError,
  });
  const { values, isSaving, change } = form;
  const { windowDays } = values;
  const isValid = Number.isInteger(windowDays) && windowDays >= least && windowDays <= most;
  return (
    <FormDialog
      title={t('conversions.settings')}
      submitLabel={t('conversions.save')}
      isReady={isValid}
      isSaving={isSaving}
      onSubmit={() => void form.save().then(() => isSaved.current && onClose())}
      onClose={onClose}
    >
      {form.isConflict ? (
        <ConflictBanner
          ways={[
            { label: t('conversions.loadTheirs'), onSelect: () => void form.goOnFromTheirs(false) },
            { label: t('conversions.keepMine'), onSelect: () => void form.goOnFromTheirs(true) },
          ]}
        >
          {t('conversions.changed')}
        </ConflictBanner>
      ) : form.error ? (
        <Banner tone="danger">{conversionsError(form.error)}</Banner>
      ) : null}
      <Field
        label={t('conversions.windowDays')}
        hint={t('conversions.windowHint')}
        error={isValid ? undefined : t('conversions.windowProblem', { least, most })}
      >
        <Input
          type="number"
          inputMode="numeric"
          className="max-w-40"
          min={least}
          max={most}
          value={Number.isNaN(windowDays) ? '' : String(windowDays)}
          onChange={(event) => change({ windowDays: event.currentTarget.valueAsNumber })}
        />
      </Field>
      <Switch
        label={t('conversions.countsLinks')}
        hint={t('conversions.countsLinksHint')}
        checked={values.countsLinks}
        onChange={(event) => change({ countsLinks: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
