import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { LanguageField } from '../language-field.tsx';

/** One language for all who are chosen; none takes it away. */
export function SetLanguageDialog({
  count,
  isSaving,
  onSave,
  onClose,
}: {
  count: number;
  isSaving: boolean;
  onSave: (language: string | null) => void;
  onClose: () => void;
}) {
  const [language, setLanguage] = useState('');
  const isEmpty = language === '';
  return (
    <FormDialog
      closeOnOutsidePress={isEmpty}
      size="small"
      title={t('contacts.bulk.setLanguage')}
      description={t('contacts.bulk.setLanguageText', { n: count })}
      submitLabel={t(isEmpty ? 'contacts.bulk.clearLanguage' : 'contacts.bulk.setLanguage')}
      isReady
      isSaving={isSaving}
      onSubmit={() => onSave(isEmpty ? null : language)}
      onClose={onClose}
    >
      <LanguageField value={language} onChange={setLanguage} />
    </FormDialog>
  );
}
