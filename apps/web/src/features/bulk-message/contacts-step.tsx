import { AudiencePicker } from '../sending/audience/audience-picker.tsx';
import type { AudienceSelection } from '../sending/audience/audience-selection.ts';

export function ContactsStep({
  selection,
  onChange,
}: {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
}) {
  return <AudiencePicker hasCountElsewhere selection={selection} onChange={onChange} />;
}
