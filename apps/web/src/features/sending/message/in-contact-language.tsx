import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { t } from '../../../shared/messages.ts';
import { Switch } from '../../../ui/controls/switch.tsx';
import { useLanguagesOf, type Template } from './template-queries.ts';

/** Whether people get a template in their own language; nothing to choose where it is there in one alone. */
export function InContactLanguage({
  template,
  isOn,
  onChange,
}: {
  /** The one that everybody else gets. */
  template: Template | undefined;
  isOn: boolean | undefined;
  onChange: (isOn: boolean) => void;
}) {
  const languages = useLanguagesOf(template);
  if (!template || !languages || languages.length === 1) return null;
  return (
    <Switch
      label={t('sending.message.inContactLanguage')}
      hint={t('sending.message.inContactLanguageHint', { language: languageName(template.language) })}
      checked={isOn === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
