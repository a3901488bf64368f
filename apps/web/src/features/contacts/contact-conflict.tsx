import type { CustomField } from '../../shared/contacts/custom-fields.ts';
import { formatList } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
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
      <ConflictBanner isGone ways={[{ label: t('contacts.deletedAddAnew'), onSelect: save.startAnew }]}>
        {t('contacts.deletedText')}
      </ConflictBanner>
    );
  const { theirs, fields, customKeys } = conflict;
  const changed = [
    ...fields.map((field) => t(`contacts.field.${field}`)),
    ...customFields.filter(({ key }) => customKeys.includes(key)).map(({ label }) => label),
  ];
  return (
    <ConflictBanner
      ways={[
        { label: t('contacts.changedLoad'), onSelect: () => save.loadTheirs(theirs) },
        { label: t('contacts.changedKeep'), onSelect: () => save.keepMine(theirs) },
      ]}
    >
      <p>{t('contacts.changedText')}</p>
      {changed.length > 0 ? (
        <p className="font-normal">
          {t('contacts.changedFields', {
            fields: formatList(changed, 'and'),
          })}
        </p>
      ) : null}
    </ConflictBanner>
  );
}
