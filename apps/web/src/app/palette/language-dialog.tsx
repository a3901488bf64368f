import { interfaceLanguages } from '@app/domain/text/interface-language';
import { useState } from 'react';
import { activeLocale, t, type Locale } from '../../shared/messages.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/controls/choice.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { chooseLanguage } from '../../shared/languages/choose-language.ts';

export function LanguageDialog({ onClose }: { onClose: () => void }) {
  const [chosen, setChosen] = useState<Locale>(activeLocale);
  const [isOpen, setOpen] = useState(true);
  return (
    <Dialog
      open={isOpen}
      onOpenChange={onClose}
      title={t('palette.language')}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            variant="primary"
            onClick={() => {
              setOpen(false);
              onClose();
              if (chosen !== activeLocale()) void chooseLanguage(chosen);
            }}
          >
            {t('palette.languageUse')}
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{t('palette.language')}</legend>
        {interfaceLanguages.map((language) => (
          <Radio
            key={language}
            name="language"
            value={language}
            label={<span lang={language}>{languageNames[language]}</span>}
            checked={chosen === language}
            onChange={() => setChosen(language)}
            className="py-1.5"
          />
        ))}
      </fieldset>
    </Dialog>
  );
}
