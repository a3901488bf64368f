import { aiProviders, type AiProvider } from '@app/domain/chatbot/model/ai-models';
import { useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../../shared/actions/use-action.ts';
import { api, orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { SuggestInput } from '../../../ui/controls/suggest-input.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input, PasswordInput } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { notify } from '../../../ui/toast.ts';
import { aiError, type AiState } from './ai-queries.ts';

type Values = {
  provider: AiProvider;
  baseUrl: string;
  key: string;
  model: string;
  embeddingModel: string;
  priceIn: string;
  priceOut: string;
  isEnabled: boolean;
};

/** Prices stand for a million tokens, as providers list them. */
const MILLIONTHS = 1_000_000;

function valuesOf({ connection }: AiState): Values {
  const price = (value: number | null | undefined) =>
    typeof value !== 'number' ? '' : String(value / MILLIONTHS);
  return {
    provider: connection?.provider ?? 'openai',
    baseUrl: connection?.baseUrl ?? '',
    key: '',
    model: connection?.model ?? '',
    embeddingModel: connection?.embeddingModel ?? '',
    priceIn: price(connection?.priceIn),
    priceOut: price(connection?.priceOut),
    isEnabled: connection?.isEnabled ?? true,
  };
}

/** Connects a model. The provider can be asked before anything is saved. */
export function AiDialog({ state, onClose }: { state: AiState; onClose: () => void }) {
  const { connection, sandbox } = state;
  const [values, setValues] = useState(() => valuesOf(state));
  const queryClient = useQueryClient();
  const isSame =
    connection?.provider === values.provider &&
    (values.provider !== 'compatible' || connection.baseUrl === values.baseUrl.trim());
  const keepsKey = isSame && values.key === '';
  const opening = {
    provider: values.provider,
    baseUrl: values.provider === 'compatible' ? values.baseUrl.trim() : null,
    ...(!keepsKey && { key: values.key.trim() }),
  };
  const test = useAction({
    mutationFn: () => api.botAi.test({ ...opening, model: values.model.trim() || null }),
  });
  const save = useAction({
    mutationFn: () =>
      api.botAi.save({
        ...opening,
        ...{ model: values.model.trim(), isEnabled: values.isEnabled },
        embeddingModel: values.embeddingModel.trim() || null,
        priceIn: priceOf(values.priceIn),
        priceOut: priceOf(values.priceOut),
        version: connection?.version ?? 0,
      }),
    onSuccess: async () => {
      notify.success(t('chatbot.ai.saved'));
      await queryClient.invalidateQueries({ queryKey: orpc.botAi.key() });
      closeSaved(onClose);
    },
  });
  const isDirty = JSON.stringify(values) !== JSON.stringify(valuesOf(state));
  const closeSaved = useUnsavedWarning(isDirty && !save.isSuccess, 'dialog');
  const change = (next: Partial<Values>) => {
    setValues((before) => ({ ...before, ...next }));
    if (!('isEnabled' in next)) test.reset();
    save.reset();
  };
  const isOpenable =
    (values.provider !== 'compatible' || values.baseUrl.trim() !== '') &&
    (values.provider === 'compatible' || keepsKey || values.key.trim() !== '');
  const arePricesRight = [values.priceIn, values.priceOut].every((price) => priceOf(price) !== undefined);
  const models = (test.data?.models ?? []).map((value) => ({ value }));
  return (
    <FormDialog
      title={t('chatbot.ai.dialogTitle')}
      description={t('chatbot.ai.dialogText')}
      submitLabel={t('chatbot.ai.save')}
      isReady={isOpenable && values.model.trim() !== '' && arePricesRight}
      whyNot={t('chatbot.ai.needs')}
      isSaving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {save.error ? <Banner tone="danger">{aiError(save.error)}</Banner> : null}
      <Field label={t('chatbot.ai.providerLabel')}>
        <Select<AiProvider>
          label={t('chatbot.ai.providerLabel')}
          value={values.provider}
          onChange={(provider) => change({ provider, ...(provider !== values.provider && { key: '' }) })}
          options={aiProviders.map((value) => ({ value, label: t(`chatbot.ai.provider.${value}`) }))}
        />
      </Field>
      {values.provider === 'compatible' ? (
        <Field label={t('chatbot.ai.baseUrl')} hint={t('chatbot.ai.baseUrlHint')} required>
          <Input
            dir="ltr"
            type="url"
            autoComplete="off"
            value={values.baseUrl}
            onChange={({ target }) => change({ baseUrl: target.value })}
          />
        </Field>
      ) : null}
      <Field
        label={t('chatbot.ai.key')}
        hint={
          isSame && connection?.keyHint
            ? t('chatbot.ai.keyKept', { end: connection.keyHint })
            : t('chatbot.ai.keyHint')
        }
        required={values.provider !== 'compatible' && !keepsKey}
      >
        <PasswordInput
          dir="ltr"
          autoComplete="off"
          value={values.key}
          onChange={({ target }) => change({ key: target.value })}
        />
      </Field>
      <Field label={t('chatbot.ai.model')} hint={t('chatbot.ai.modelHint')} required>
        <SuggestInput
          value={values.model}
          onChange={(model) => {
            setValues((before) => ({ ...before, model }));
            save.reset();
          }}
          suggestions={models}
          maxLength={200}
        />
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          icon={<FlaskConical aria-hidden />}
          loading={test.isPending}
          disabled={!isOpenable}
          onClick={() => test.mutate()}
        >
          {t('chatbot.ai.test')}
        </Button>
        {sandbox ? (
          <Button size="small" onClick={() => change({ provider: 'compatible', ...sandbox })}>
            {t('chatbot.ai.useSandbox')}
          </Button>
        ) : null}
      </div>
      <div aria-live="polite">
        {test.error ? <Banner tone="danger">{aiError(test.error)}</Banner> : null}
        {test.data?.problem ? (
          <Banner tone="danger">{t(`chatbot.ai.problem.${test.data.problem}`)}</Banner>
        ) : test.data ? (
          <Banner tone="success">
            {test.data.answer === null
              ? t('chatbot.ai.testModels', { n: test.data.models.length })
              : t('chatbot.ai.testAnswer', { answer: test.data.answer, ms: test.data.durationMs })}
          </Banner>
        ) : null}
      </div>
      <details className="rounded-card border border-border p-3">
        <summary className="cursor-pointer font-medium">{t('chatbot.ai.more')}</summary>
        <div className="mt-3 flex flex-col gap-4">
          <Field label={t('chatbot.ai.embedding')} hint={t('chatbot.ai.embeddingHint')}>
            <SuggestInput
              value={values.embeddingModel}
              onChange={(embeddingModel) => setValues((before) => ({ ...before, embeddingModel }))}
              suggestions={models}
              maxLength={200}
            />
          </Field>
          {(['priceIn', 'priceOut'] as const).map((name) => (
            <Field
              key={name}
              label={t(`chatbot.ai.${name}`)}
              hint={name === 'priceOut' ? t('chatbot.ai.priceHint') : undefined}
              error={priceOf(values[name]) === undefined ? t('chatbot.ai.priceWrong') : undefined}
            >
              <Input
                inputMode="decimal"
                className="max-w-40"
                value={values[name]}
                onChange={({ target }) => setValues((before) => ({ ...before, [name]: target.value }))}
              />
            </Field>
          ))}
          <Switch
            label={t('chatbot.ai.enabled')}
            hint={t('chatbot.ai.enabledHint')}
            checked={values.isEnabled}
            onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
          />
        </div>
      </details>
    </FormDialog>
  );
}

/** Null for an empty field; undefined for what is no price. */
function priceOf(text: string): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const price = Math.round(Number(trimmed) * MILLIONTHS);
  return Number.isFinite(price) && price >= 0 && price <= 1e12 ? price : undefined;
}
