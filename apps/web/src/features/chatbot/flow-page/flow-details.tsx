import type { FlowFile } from '@app/domain/flows/flow-file';
import { Panel } from '../../../ui/page-frame.tsx';
import { FlowNameFields } from '../../automation/editor/flow-name-fields.tsx';

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
        <FlowNameFields flow={flow} onChange={onChange} />
      </fieldset>
    </Panel>
  );
}
