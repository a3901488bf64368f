import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Select } from '../../../ui/controls/select.tsx';
import { Field } from '../../../ui/field.tsx';
import { FlowForm } from '../flow-dialog.tsx';
import { botFlowTemplateNames, type BotFlowTemplateName } from './bot-flow-templates.ts';
import { FileForm } from './file-form.tsx';
import { TemplateForm } from './template-form.tsx';

type Start = 'simple' | 'blank' | 'file' | BotFlowTemplateName;

/** Makes a bot flow: simple answers, a dialogue of a template or of its own, or one of a file. */
export function CreateFlowDialog({ words, onClose }: { words: string; onClose: () => void }) {
  const [start, setStart] = useState<Start>('simple');
  const startFrom = (
    <Field label={t('botFlows.startFrom')}>
      <Select<Start>
        value={start}
        onChange={setStart}
        options={[
          { value: 'simple', label: t('botFlows.simple'), hint: t('botFlows.simple.text') },
          ...botFlowTemplateNames.map((value) => ({
            value,
            label: t(`botFlows.tpl.${value}`),
            hint: t(`botFlows.tpl.${value}.text`),
          })),
          { value: 'blank', label: t('botFlows.blank'), hint: t('botFlows.blank.text') },
          { value: 'file', label: t('botFlows.fromFile'), hint: t('botFlows.fromFile.text') },
        ]}
      />
    </Field>
  );
  if (start === 'simple') return <FlowForm words={words} startFrom={startFrom} onClose={onClose} />;
  if (start === 'file') return <FileForm startFrom={startFrom} onClose={onClose} />;
  return <TemplateForm key={start} start={start} words={words} startFrom={startFrom} onClose={onClose} />;
}
