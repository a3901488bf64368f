import {
  defaultConsentWords,
  isConsentWord,
  type ConsentKind,
  type ConsentWords,
} from '@app/domain/contacts/opt-out-keywords';
import { messagingLimits, type ConsentAnswers } from '@app/domain/settings/messaging-settings';
import { interfaceLanguages, type InterfaceLanguage } from '@app/domain/text/interface-language';
import { useState } from 'react';
import { languageNames } from '../../shared/languages/language-names.ts';
import { activeLocale, t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { Textarea } from '../../ui/input.tsx';

const kinds = ['stop', 'start'] as const satisfies readonly ConsentKind[];

/** The words by which people end and renew consent to marketing, by language, and what they are answered. */
export function ConsentFields({
  words,
  answers,
  onChange,
}: {
  /** Null: those that come with the product. */
  words: ConsentWords | null;
  answers: ConsentAnswers;
  onChange: (patch: { consentWords?: ConsentWords | null; consentAnswers?: ConsentAnswers }) => void;
}) {
  const [language, setLanguage] = useState<InterfaceLanguage>(activeLocale);
  const shown = words ?? defaultConsentWords;
  return (
    <div className="flex flex-col gap-4">
      <Field label={t('settings.consent.language')} className="max-w-80">
        <Select<InterfaceLanguage>
          value={language}
          onChange={setLanguage}
          options={interfaceLanguages.map((value) => ({ value, label: languageNames[value] }))}
        />
      </Field>
      {kinds.map((kind) => (
        <div key={kind} className="grid gap-4 sm:grid-cols-2">
          <Field label={t(`settings.consent.${kind}`)} hint={t('settings.consent.oneEach')}>
            <Textarea
              rows={4}
              value={shown[language][kind].join('\n')}
              onChange={(event) =>
                onChange({
                  consentWords: {
                    ...shown,
                    [language]: { ...shown[language], [kind]: event.currentTarget.value.split('\n') },
                  },
                })
              }
            />
          </Field>
          <Field label={t(`settings.consent.${kind}Answer`)} hint={t('settings.consent.noAnswer')}>
            <Textarea
              rows={4}
              value={answers[kind][language]}
              onChange={(event) =>
                onChange({
                  consentAnswers: {
                    ...answers,
                    [kind]: { ...answers[kind], [language]: event.currentTarget.value },
                  },
                })
              }
            />
          </Field>
        </div>
      ))}
      <p className="text-sm text-muted">{t('settings.consent.always')}</p>
      {words === null ? null : (
        <Button className="self-start" onClick={() => onChange({ consentWords: null })}>
          {t('settings.consent.reset')}
        </Button>
      )}
    </div>
  );
}

/** Without the empty lines that typing leaves. */
export function tidyConsentWords(words: ConsentWords | null): ConsentWords | null {
  if (words === null) return null;
  const tidy = (list: readonly string[]) => list.map((word) => word.trim()).filter((word) => word !== '');
  const of = (language: InterfaceLanguage) => {
    const { stop, start } = words[language];
    return { stop: tidy(stop), start: tidy(start) };
  };
  return { en: of('en'), es: of('es'), fr: of('fr'), de: of('de'), pt: of('pt') };
}

/** What the server would refuse. */
export function consentProblem(words: ConsentWords | null, answers: ConsentAnswers): string | null {
  const lists = Object.values(tidyConsentWords(words) ?? {}).flatMap(({ stop, start }) => [stop, start]);
  if (lists.some((list) => list.length > messagingLimits.consentWords))
    return t('settings.consent.tooMany', { n: messagingLimits.consentWords });
  const wrong = lists.flat().find((word) => !isConsentWord(word));
  if (wrong !== undefined)
    return t('settings.consent.wrong', { word: wrong, n: messagingLimits.consentWord });
  const texts = kinds.flatMap((kind) => Object.values(answers[kind]));
  return texts.some((text) => text.trim().length > messagingLimits.autoReply)
    ? t('settings.tooLong', { n: messagingLimits.autoReply })
    : null;
}
