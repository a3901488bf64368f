import { MOST_WORDS } from '@app/domain/contact-imports/import-consent';
import { t } from '../../shared/messages.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import type { ImportChoicesState } from './use-import-choices.ts';

/** What is made of the words in the file, before anything is, and what is stated of everybody. JSON is read by the same names. */
export function ConsentChoice({ choices }: { choices: ImportChoicesState }) {
  const { saysConsent, saysOptOut, agreed, setAgreed } = choices;
  const speaks = saysConsent || saysOptOut;
  return (
    <FieldGroup
      legend={t('contacts.importConsent')}
      hint={speaks ? t('contacts.importConsentRules') : undefined}
    >
      {saysConsent ? (
        <Checkbox
          label={
            choices.consentOfOther === null
              ? t('contacts.importConsentStated')
              : t('contacts.importConsentStatedOther', { heading: choices.consentOfOther })
          }
          hint={t('contacts.importConsentStatedHint')}
          checked={choices.isConsentStated}
          onChange={(event) => choices.setConsentStated(event.target.checked)}
        />
      ) : null}
      <Checkbox
        label={t('contacts.importAgreed')}
        hint={t('contacts.importAgreedHint')}
        checked={agreed !== null}
        onChange={(event) => setAgreed(event.target.checked ? { where: '', on: '' } : null)}
      />
      {agreed ? (
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <Field
            label={t('contacts.importAgreedWhere')}
            required
            error={
              agreed.where.trim() === '' && agreed.on !== '' ? t('contacts.importAgreedNoWhere') : undefined
            }
          >
            <Input
              value={agreed.where}
              maxLength={MOST_WORDS}
              placeholder={t('contacts.importAgreedExample')}
              onChange={(event) => setAgreed({ ...agreed, where: event.target.value })}
            />
          </Field>
          <Field
            label={t('contacts.importAgreedOn')}
            required
            error={dayError(agreed, choices.isAgreedReady)}
          >
            <Input
              type="date"
              value={agreed.on}
              onChange={(event) => setAgreed({ ...agreed, on: event.target.value })}
            />
          </Field>
        </div>
      ) : null}
      {(speaks || agreed) && choices.duplicates === 'skip' ? (
        <p className="text-sm text-muted">{t('contacts.importConsentSkipped')}</p>
      ) : null}
    </FieldGroup>
  );
}

function dayError({ where, on }: { where: string; on: string }, isReady: boolean): string | undefined {
  if (where.trim() === '' || isReady) return undefined;
  return t(on === '' ? 'contacts.importAgreedNoDay' : 'contacts.importAgreedLate');
}
