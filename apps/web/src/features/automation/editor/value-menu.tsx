import { Braces } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';

/** A value of the trigger, the contact or another step, by the path that stands in texts. */
export type FlowValue = { path: string; label: string };

/** Puts a value into a text. */
export function ValueMenu({
  values,
  onPick,
}: {
  values: readonly FlowValue[];
  /** Gets the value as it stands in texts: `{{contact.name}}`. */
  onPick: (value: string) => void;
}) {
  return (
    <Menu
      trigger={
        <Button size="small" variant="ghost" icon={<Braces aria-hidden />}>
          {t('automation.insertValue')}
        </Button>
      }
      entries={values.map(({ path, label }) => ({ label, onSelect: () => onPick(`{{${path}}}`) }))}
    />
  );
}
