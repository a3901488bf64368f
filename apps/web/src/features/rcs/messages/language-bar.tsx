import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { rcsMessageLimits } from '@app/domain/rcs/rcs-message';
import { Languages, TriangleAlert } from 'lucide-react';
import { languageName, languageOptions } from '../../../shared/contacts/contact-languages.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NativeSelect } from '../../../ui/input.tsx';
import { contentIn, copyContent, type MessageValues } from './message-values.ts';

interface LanguageBarProps {
  values: MessageValues;
  faults: readonly ContentFault[];
  /** Of which the fields are shown. */
  shown: string;
  onShow: (language: string) => void;
  onChange: (part: Partial<MessageValues>) => void;
}

/** The languages of a message: each contact gets their own, and everybody else the first one. */
export function LanguageBar({ values, faults, shown, onShow, onChange }: LanguageBarProps) {
  const { language: main, translations } = values;
  const codes = [main, ...Object.keys(translations)];
  const free = languageOptions()
    .filter(({ value }) => !codes.includes(value))
    .map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ));
  const add = (code: string) => {
    onChange({ translations: { ...translations, [code]: copyContent(contentIn(values, shown)) } });
    onShow(code);
  };
  const remove = () => {
    const { [shown]: _, ...others } = translations;
    onChange({ translations: others });
    onShow(main);
  };
  /** The two change places. */
  const makeMain = () => {
    const { [shown]: next, ...others } = translations;
    if (next)
      onChange({ ...next, language: shown, translations: { ...others, [main]: contentIn(values, main) } });
  };
  const rename = (code: string) => {
    const { [shown]: own, ...others } = translations;
    onChange(own ? { translations: { ...others, [code]: own } } : { language: code });
    onShow(code);
  };
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-card border border-border p-3">
      <p className="text-sm text-muted">{t('rcs.languages.purpose')}</p>
      <ul aria-label={t('rcs.languages')} className="flex flex-wrap gap-2">
        {codes.map((code) => (
          <li key={code}>
            <Button
              size="small"
              variant={code === shown ? 'primary' : 'secondary'}
              aria-pressed={code === shown}
              icon={hasFault(faults, code, main) ? <TriangleAlert aria-hidden /> : undefined}
              onClick={() => onShow(code)}
            >
              {code === main ? t('rcs.languages.main', { name: languageName(code) }) : languageName(code)}
            </Button>
          </li>
        ))}
      </ul>
      <div className="grid items-end gap-3 sm:grid-cols-2">
        <Field label={t('rcs.languages.shown')}>
          <NativeSelect value={shown} onChange={({ target }) => rename(target.value)}>
            <option value={shown}>{languageName(shown)}</option>
            {free}
          </NativeSelect>
        </Field>
        <Field label={t('rcs.languages.add')}>
          <NativeSelect
            value=""
            disabled={codes.length >= rcsMessageLimits.languages}
            onChange={({ target }) => add(target.value)}
          >
            <option value="">{t('rcs.languages.choose')}</option>
            {free}
          </NativeSelect>
        </Field>
      </div>
      {shown === main ? null : (
        <div className="flex flex-wrap gap-2">
          <Button size="small" icon={<Languages aria-hidden />} onClick={makeMain}>
            {t('rcs.languages.makeMain')}
          </Button>
          <Button size="small" onClick={remove}>
            {t('rcs.languages.remove', { name: languageName(shown) })}
          </Button>
        </div>
      )}
    </div>
  );
}

function hasFault(faults: readonly ContentFault[], code: string, main: string): boolean {
  return faultsOf(faults, code, main).length > 0;
}

/** What is wrong in one language, with places as they are in its content. */
export function faultsOf(faults: readonly ContentFault[], code: string, main: string): ContentFault[] {
  if (code === main) return faults.filter(({ path }) => !path.startsWith('translations'));
  const prefix = `translations.${code}.`;
  return faults
    .filter(({ path }) => path.startsWith(prefix))
    .map((fault) => ({ ...fault, path: fault.path.slice(prefix.length) }));
}
