import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { customFieldsOptions, type CustomField } from '../../shared/contacts/custom-fields.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { readFailure } from '../../shared/api.ts';
import { ContactForm } from './contact-form.tsx';
import { contactOptions, type Contact } from '../../shared/contacts/contacts-queries.ts';

/** Adds a contact, or edits the one that is named, as the server has it now. */
export function ContactDialog({ contactId, onClose }: { contactId?: string; onClose: () => void }) {
  // Read once: a later change by somebody else must not pull the ground from under what is typed.
  const found = useQuery({
    ...contactOptions(contactId ?? ''),
    enabled: contactId !== undefined,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const fields = useQuery(customFieldsOptions);
  const [opened, setOpened] = useState<{ contact: Contact | undefined; fields: readonly CustomField[] }>();
  const isFound = contactId === undefined || (found.isSuccess && found.isFetchedAfterMount);
  if (!opened && isFound && fields.data) setOpened({ contact: found.data, fields: fields.data.items });
  if (opened) return <ContactForm {...opened} onClose={onClose} />;
  const failed = [fields, found].find(({ isError }) => isError);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={contactId === undefined ? t('contacts.addTitle') : t('contacts.editTitle')}
      footer={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      {failed ? (
        <ErrorState
          text={
            readFailure(failed.error).code === 'contact_not_found'
              ? t('contacts.error.notFound')
              : errorMessage(failed.error)
          }
          onRetry={() => void failed.refetch()}
        />
      ) : (
        <SkeletonRegion className="grid gap-5 py-2">
          {[1, 2, 3, 4].map((line) => (
            <span key={line}>
              <Skeleton className="mb-2 h-3 w-20" />
              <Skeleton className="h-9" />
            </span>
          ))}
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
