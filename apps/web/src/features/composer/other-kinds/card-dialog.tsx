import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../../../shared/api.ts';
import { t } from '../../../shared/messages.ts';
import { findsPerson } from '../../../shared/offline/find-person.ts';
import { useFoundRows } from '../../../shared/offline/found-rows.ts';
import { whileReachable } from '../../../shared/offline/kept-rows.ts';
import type { OutboxContent } from '../../../shared/outbox/outbox-items.ts';
import { useDebounced } from '../../../shared/use-debounced.ts';
import { Field } from '../../../ui/field.tsx';
import { Combobox } from '../../../ui/controls/combobox.tsx';
import type { SelectOption } from '../../../ui/controls/select.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';

const SHOWN = 20;
const kind = orpc.contacts.list.key();

/** The card of a contact: name, number and mail address of somebody else. */
export function CardDialog({
  onSend,
  onClose,
}: {
  onSend: (content: Extract<OutboxContent, { contacts: unknown }>) => Promise<boolean>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<SelectOption | null>(null);
  const contactId = chosen?.value ?? null;
  const search = useDebounced(typed.trim());
  const query = useQuery({
    ...orpc.contacts.list.queryOptions({ input: { limit: SHOWN, ...(search && { search }) } }),
    placeholderData: whileReachable,
  });
  const { rows, searched } = useFoundRows(query, kind, (kept) =>
    kept.filter((person) => findsPerson(person, search)).slice(0, SHOWN),
  );
  const { data: contact } = useQuery({
    ...orpc.contacts.get.queryOptions({ input: { contactId: contactId ?? '' } }),
    enabled: contactId !== null,
  });

  async function send() {
    if (!contact) return;
    const { name, phone, email } = contact;
    const card = {
      formattedName: name || (phone ?? ''),
      ...(phone && { phones: [{ phone }] }),
      ...(email && { emails: [{ email }] }),
    };
    if (await onSend({ contacts: [card] })) onClose();
  }

  return (
    <FormDialog
      size="small"
      title={t('composer.card')}
      submitLabel={t('composer.send')}
      isReady={contact !== undefined && contact.id === contactId}
      whyNot={t('composer.card.needed')}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <Field label={t('composer.card.contact')} hint={t('composer.card.hint')} required>
        <Combobox
          value={chosen}
          onChange={setChosen}
          options={rows.map(({ id, name, phone }) => ({
            value: id,
            label: name || (phone ?? ''),
            hint: phone ?? undefined,
          }))}
          loading={query.isFetching}
          searchedHere={searched}
          onSearch={setTyped}
        />
      </Field>
    </FormDialog>
  );
}
