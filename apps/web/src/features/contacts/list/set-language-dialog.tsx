import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { LanguageField } from '../language-field.tsx';
import { SetValueDialog } from './set-value-dialog.tsx';

/** One language for all who are chosen. */
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
  return (
    <SetValueDialog
      title={t('contacts.bulk.setLanguage')}
      description={t('contacts.bulk.setLanguageText', { n: count })}
      removeLabel={t('contacts.bulk.clearLanguage')}
      isEmpty={language === ''}
      isSaving={isSaving}
      onSave={(isRemoved) => onSave(isRemoved ? null : language)}
      onClose={onClose}
    >
      <LanguageField value={language} onChange={setLanguage} />
    </SetValueDialog>
  );
}
