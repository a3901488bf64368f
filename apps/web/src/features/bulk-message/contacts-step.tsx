import { AudiencePicker } from '../../shared/sending/audience-picker.tsx';
import type { AudienceSelection } from '../../shared/sending/audience-selection.ts';

export function ContactsStep({
  selection,
  onChange,
}: {
  selection: AudienceSelection;
  onChange: (selection: AudienceSelection) => void;
}) {
  return <AudiencePicker hasCountElsewhere selection={selection} onChange={onChange} />;
}
