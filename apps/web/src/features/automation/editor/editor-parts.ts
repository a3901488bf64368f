import type { FlowFile, Json } from '@app/domain/flows/flow-file';
import type { CustomField } from '../../../shared/contacts/custom-fields.ts';
import type { WindowRisks } from '../window-warnings.ts';
import type { WorkflowDetails } from '../workflows-queries.ts';
import type { ReferenceNames } from './flow-summary.ts';

export type FlowProblems = WorkflowDetails['problems'];

export type EditorProps = {
  workflowId: string;
  flow: FlowFile;
  problems: FlowProblems;
  /** May only be looked at. */
  isReadOnly: boolean;
  onChange: (flow: FlowFile) => void;
};

/** What the items of the list share. */
export type EditorParts = EditorProps & {
  /** Steps whose own text may not be delivered. They can be published. */
  risks: WindowRisks;
  names: ReferenceNames;
  fields: readonly CustomField[];
  /** The last bodies that came to the addresses of this workflow. */
  samples: readonly Json[];
  isOpen: (id: string) => boolean;
  setOpen: (id: string, open: boolean) => void;
  /** Gives the focus to the item once it is drawn, after the next change. */
  focusOn: (id: string) => void;
};
