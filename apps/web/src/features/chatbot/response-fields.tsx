import { botFlowLimits, botResponseTypes, type BotResponseType } from '@app/domain/chatbot/bot-flow';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Input, Textarea } from '../../ui/input.tsx';
import { useApprovedTemplates, useTemplate } from '../sending/message/template-queries.ts';
import type { FlowValues } from './flow-values.ts';

type Response = FlowValues['responses'][number];

/** One thing that the flow says: a text, a text with buttons, or a template; and how long it waits before. */
export function ResponseFields({
  response,
  place,
  count,
  onChange,
  onMove,
  onRemove,
}: {
  response: Response;
  place: number;
  count: number;
  onChange: (response: Response) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const set = (part: Partial<Response>) => onChange({ ...response, ...part });
  const n = place + 1;
  const { type, content, quickReplies } = response;
  const most = type === 'quick_reply' ? botFlowLimits.shortText : botFlowLimits.text;
  return (
    <li className="rounded-card border border-border p-3">
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="sr-only">{t('chatbot.response', { n })}</legend>
        <div className="flex flex-wrap items-center gap-2">
          <span aria-hidden className="font-semibold">
            {t('chatbot.response', { n })}
          </span>
          <span className="ml-auto flex">
            {place > 0 ? (
              <IconButton size="small" label={t('chatbot.responseUp', { n })} onClick={() => onMove(-1)}>
                <ArrowUp aria-hidden />
              </IconButton>
            ) : null}
            {place < count - 1 ? (
              <IconButton size="small" label={t('chatbot.responseDown', { n })} onClick={() => onMove(1)}>
                <ArrowDown aria-hidden />
              </IconButton>
            ) : null}
            {count > 1 ? (
              <IconButton size="small" label={t('chatbot.responseRemove', { n })} onClick={onRemove}>
                <Trash2 aria-hidden />
              </IconButton>
            ) : null}
          </span>
        </div>
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          <Field label={t('chatbot.responseType')}>
            <Select<BotResponseType>
              value={type}
              onChange={(next) => set({ type: next })}
              options={botResponseTypes.map((value) => ({ value, label: t(`chatbot.response.${value}`) }))}
            />
          </Field>
          <Field label={t('chatbot.delay')} hint={t('chatbot.delayHint', { n: botFlowLimits.delay })}>
            <Input
              type="number"
              inputMode="numeric"
              min={0}
              max={botFlowLimits.delay}
              step={100}
              value={Number.isNaN(response.delay) ? '' : response.delay}
              onChange={(event) => set({ delay: event.currentTarget.valueAsNumber })}
            />
          </Field>
        </div>
        {type === 'template' ? (
          <TemplateFields response={response} set={set} />
        ) : (
          <Field label={t('chatbot.text')} required aside={`${content.trim().length}/${most}`}>
            <Textarea
              rows={3}
              value={content}
              dir="auto"
              onChange={(event) => set({ content: event.target.value })}
            />
          </Field>
        )}
        {type === 'quick_reply' ? (
          <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
            {Array.from({ length: botFlowLimits.quickReplies }, (_, index) => (
              <Field key={index} label={t('chatbot.button', { n: index + 1 })} required={index === 0}>
                <Input
                  value={quickReplies[index] ?? ''}
                  maxLength={botFlowLimits.quickReply}
                  autoComplete="off"
                  onChange={(event) => {
                    const next = Array.from(
                      { length: botFlowLimits.quickReplies },
                      (__, at) => quickReplies[at] ?? '',
                    );
                    next[index] = event.target.value;
                    set({ quickReplies: next });
                  }}
                />
              </Field>
            ))}
          </div>
        ) : null}
      </fieldset>
    </li>
  );
}

/** Which template, and what stands for each of its variables. */
function TemplateFields({
  response: { templateId, variables },
  set,
}: {
  response: Response;
  set: (part: Partial<Response>) => void;
}) {
  const { templates, isPending } = useApprovedTemplates('');
  const { template, isGone } = useTemplate(templateId);
  const chosen = template && !templates.some(({ id }) => id === template.id) ? [template] : [];
  return (
    <>
      <Field
        label={t('chatbot.template')}
        required
        hint={!isPending && templates.length === 0 ? t('chatbot.noTemplates') : undefined}
        error={isGone ? t('chatbot.error.template') : undefined}
      >
        <Select
          value={templateId}
          placeholder={t('chatbot.chooseTemplate')}
          onChange={(next) => set({ templateId: next, variables: {} })}
          options={[...chosen, ...templates].map(({ id, name, language }) => ({
            ...{ value: id, label: name, hint: language },
          }))}
        />
      </Field>
      {(template?.variables ?? []).map((name) => (
        <Field key={name} label={t('chatbot.variable', { name })} hint={t('chatbot.variableHint')}>
          <Input
            value={variables[name] ?? ''}
            maxLength={botFlowLimits.shortText}
            autoComplete="off"
            onChange={(event) => set({ variables: { ...variables, [name]: event.target.value } })}
          />
        </Field>
      ))}
    </>
  );
}
