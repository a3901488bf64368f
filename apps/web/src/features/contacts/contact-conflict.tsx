import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Banner } from '../../ui/states.tsx';
import type { ContactSave } from './use-contact-save.ts';

/** Says what somebody else did to the contact in the meantime, and how to go on with what was typed. */
export function ContactConflict({
  save,
  customFields,
}: {
  save: ContactSave;
  customFields: readonly CustomField[];
}) {
  const { conflict } = save;
  if (!conflict) return null;
  if (conflict.kind === 'deleted')
    return (
      <Banner
        tone="danger"
        action={
          <Button size="small" onClick={save.startAnew}>
            {t('contacts.deletedAddAnew')}
          </Button>
        }
      >
        {t('contacts.deletedText')}
      </Banner>
    );
  const { theirs, fields, customKeys } = conflict;
  const changed = [
    ...fields.map((field) => t(`contacts.field.${field}`)),
    ...customFields.filter(({ key }) => customKeys.includes(key)).map(({ label }) => label),
  ];
  return (
    <Banner
      tone="warning"
      action={
        <>
          <Button size="small" onClick={() => save.loadTheirs(theirs)}>
            {t('contacts.changedLoad')}
          </Button>
          <Button size="small" onClick={() => save.keepMine(theirs)}>
            {t('contacts.changedKeep')}
          </Button>
        </>
      }
    >
      <p>{t('contacts.changedText')}</p>
      {changed.length > 0 ? (
        <p className="font-normal">
          {t('contacts.changedFields', {
            fields: formatList(changed, 'and'),
          })}
        </p>
      ) : null}
    </Banner>
  );
}
