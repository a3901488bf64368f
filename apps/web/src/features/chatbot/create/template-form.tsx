import { botFlowSettings } from '@app/domain/chatbot/bot-flow';
import { emptyFlow, flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { useUnsavedWarning } from '../../../shared/use-unsaved-warning.ts';
import { Field } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { changeStep } from '../../automation/editor/flow-draft.ts';
import { chatbotError } from '../chatbot-queries.ts';
import { buildBotFlowTemplate, type BotFlowTemplateName, type TemplateAsk } from './bot-flow-templates.ts';
import { useNewDraft } from './use-new-draft.ts';

/** A dialogue of a template, or an empty one: its name, its keywords, and what only the business knows. */
export function TemplateForm({
  start,
  words,
  startFrom,
  onClose,
}: {
  start: BotFlowTemplateName | 'blank';
  words: string;
  startFrom: ReactNode;
  onClose: () => void;
}) {
  const [{ flow: first, asks }] = useState(() => begin(start, words));
  const [flow, setFlow] = useState(first);
  const closeSaved = useUnsavedWarning(flow !== first, 'dialog');
  const draft = useNewDraft(closeSaved);
  const [trigger] = flow.triggers;
  return (
    <FormDialog
      size="large"
      title={t('chatbot.createFlow')}
      description={t('chatbot.flowPurpose')}
      submitLabel={t('botFlows.create')}
      isReady={flow.name.trim() !== ''}
      whyNot={flow.name.trim() === '' ? t('botFlows.nameNeeded') : undefined}
      isSaving={draft.isSaving}
      onSubmit={() => void draft.save({ ...flow, name: flow.name.trim() })}
      onClose={onClose}
    >
      {startFrom}
      {draft.error ? <Banner tone="danger">{chatbotError(draft.error)}</Banner> : null}
      <Field label={t('chatbot.name')} required>
        <Input
          value={flow.name}
          maxLength={flowLimits.name}
          autoComplete="off"
          onChange={(event) => setFlow({ ...flow, name: event.target.value })}
        />
      </Field>
      <Field label={t('chatbot.keywords')} hint={t('chatbot.keywordsHint')}>
        <Textarea
          rows={2}
          value={trigger ? textOf(trigger.config, 'value') : ''}
          maxLength={2_000}
          onChange={(event) => setFlow(withKeywords(flow, event.target.value))}
        />
      </Field>
      {asks.map((ask) => (
        <AskedField key={ask.label} ask={ask} flow={flow} onChange={setFlow} />
      ))}
    </FormDialog>
  );
}

function AskedField({
  ask: { label, ids, field },
  flow,
  onChange,
}: {
  ask: TemplateAsk;
  flow: FlowFile;
  onChange: (flow: FlowFile) => void;
}) {
  const step = flow.steps.find(({ id }) => id === ids[0]);
  return (
    <Field label={t(label)}>
      <Textarea
        rows={2}
        value={step ? textOf(step.config, field) : ''}
        maxLength={1_000}
        onChange={(event) => {
          let next = flow;
          for (const { id, config } of flow.steps)
            if (ids.includes(id))
              next = changeStep(next, id, { config: { ...config, [field]: event.target.value } });
          onChange(next);
        }}
      />
    </Field>
  );
}

function begin(start: BotFlowTemplateName | 'blank', words: string) {
  if (start !== 'blank') return buildBotFlowTemplate(start);
  const flow: FlowFile = { ...emptyFlow('bot', ''), settings: botFlowSettings };
  return { flow: withKeywords(flow, words), asks: [] };
}

function withKeywords(flow: FlowFile, value: string): FlowFile {
  return { ...flow, triggers: [{ id: 'begin', type: 'keyword', config: { value }, conditions: null }] };
}
