import { flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';

/** The name and the description of a flow. */
export function FlowNameFields({ flow, onChange }: { flow: FlowFile; onChange: (flow: FlowFile) => void }) {
  return (
    <>
      <Field
        label={t('automation.name')}
        required
        error={flow.name.trim() === '' ? t('automation.nameNeeded') : undefined}
      >
        <Input
          value={flow.name}
          maxLength={flowLimits.name}
          autoComplete="off"
          onChange={(event) => onChange({ ...flow, name: event.target.value })}
        />
      </Field>
      <Field label={t('automation.description')}>
        <Textarea
          rows={2}
          value={flow.description}
          maxLength={flowLimits.description}
          onChange={(event) => onChange({ ...flow, description: event.target.value })}
        />
      </Field>
    </>
  );
}
