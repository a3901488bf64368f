import { flowLimits, type FlowFile } from '@app/domain/flows/flow-file';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Input, Textarea } from '../../../ui/input.tsx';
import { Panel } from '../../../ui/page-frame.tsx';

/** What the flow is called. */
export function FlowDetails({
  flow,
  isReadOnly,
  onChange,
}: {
  flow: FlowFile;
  isReadOnly: boolean;
  onChange: (flow: FlowFile) => void;
}) {
  return (
    <Panel>
      <fieldset disabled={isReadOnly} className="grid max-w-xl min-w-0 gap-5">
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
      </fieldset>
    </Panel>
  );
}
