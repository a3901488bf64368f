import { useState, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Checkbox } from '../../../ui/controls/choice.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';

type SetValueDialogProps = {
  title: string;
  description: string;
  /** Of the choice that takes the value away, and of the button that then does. */
  removeLabel: string;
  isEmpty: boolean;
  isSaving: boolean;
  onSave: (isRemoved: boolean) => void;
  onClose: () => void;
  /** Which value is meant, where there are several. */
  which?: ReactNode;
  children: ReactNode;
};

/** One value for all who are chosen. Nothing typed is no wish: that the value goes away is chosen. */
export function SetValueDialog({
  title,
  description,
  removeLabel,
  isEmpty,
  isSaving,
  onSave,
  onClose,
  which,
  children,
}: SetValueDialogProps) {
  const [isRemoved, setRemoved] = useState(false);
  return (
    <FormDialog
      closeOnOutsidePress={isEmpty && !isRemoved}
      size="small"
      title={title}
      description={description}
      submitLabel={isRemoved ? removeLabel : title}
      isReady={isRemoved || !isEmpty}
      whyNot={t('contacts.bulk.needsValue')}
      isSaving={isSaving}
      onSubmit={() => onSave(isRemoved)}
      onClose={onClose}
    >
      {which}
      {isRemoved ? null : children}
      <Checkbox
        label={removeLabel}
        hint={t('contacts.bulk.removeHint')}
        checked={isRemoved}
        onChange={(event) => setRemoved(event.target.checked)}
      />
    </FormDialog>
  );
}
