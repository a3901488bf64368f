import { interfaceLanguages, isInterfaceLanguage } from '@app/domain/text/interface-language';
import { ChevronDown, Globe } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import { loadFile } from '../../ui/load-file.ts';
import { keepChosenLanguage } from '../languages/chosen-language.ts';
import { languageNames } from '../languages/language-names.ts';
import { activeLocale, switchLocale, t } from '../messages.ts';

/** The language of the public pages: a native list, which works before anything else has loaded. */
export function LanguageSelect({ id, className }: { id: string; className?: string }) {
  return (
    <label
      className={classNames(
        'relative inline-flex h-8 items-center gap-1.5 rounded-card px-2 text-base text-muted hover:bg-hover hover:text-text',
        className,
      )}
    >
      <Globe aria-hidden className="size-4 shrink-0" />
      <span className="sr-only">{t('common.language')}</span>
      <select
        id={id}
        value={activeLocale()}
        onChange={({ target: { value } }) => {
          if (!isInterfaceLanguage(value)) return;
          keepChosenLanguage(value);
          void loadFile(() => switchLocale(value));
        }}
        className="dressed-select cursor-pointer rounded-sm border-0 bg-transparent pr-5 text-inherit"
      >
        {interfaceLanguages.map((language) => (
          <option key={language} value={language} lang={language}>
            {languageNames[language]}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute right-2 size-4 shrink-0" />
    </label>
  );
}
