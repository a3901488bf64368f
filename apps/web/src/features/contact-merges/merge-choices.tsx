import { findBlocked, findOptOut } from '@app/domain/contact-merges/merge-rules';
import { ShieldAlert } from 'lucide-react';
import { useId } from 'react';
import { formatDate } from '../../shared/formats.ts';
import { t } from '../../shared/messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Radio } from '../../ui/controls/choice.tsx';
import { Banner } from '../../ui/states.tsx';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';
import { isSame, ownerOf, type MergeRow, type Merging, type Picks } from './merge-fields.ts';

/** One group of radios for the main contact and for each field that differs, and what needs no choice. */
export function MergeChoices({
  contacts,
  rows,
  picks,
  onPick,
  onSurvivor,
}: {
  contacts: Merging;
  rows: readonly MergeRow[];
  picks: Picks;
  onPick: (row: string, contactId: string) => void;
  onSurvivor: (contactId: string) => void;
}) {
  // The columns stay where they are when another contact becomes the main one.
  const columns = contacts.toSorted((a, b) => (a.createdAt + a.id < b.createdAt + b.id ? -1 : 1));
  const phoneOwner = rows.find(({ id }) => id === 'phone');
  const phone = contacts.find(({ id }) => phoneOwner && id === ownerOf(contacts, phoneOwner, picks))?.phone;
  const otherPhones = contacts.flatMap((contact) =>
    contact.phone && contact.phone !== phone ? [contact.phone] : [],
  );
  return (
    <>
      <div className="grid gap-4 overflow-x-auto pb-1">
        <Choices
          label={t('contacts.merge.main')}
          columns={columns}
          chosen={contacts[0].id}
          textOf={({ name }) => name}
          hintOf={({ createdAt }) => t('contacts.merge.addedOn', { date: formatDate(createdAt) })}
          onChoose={onSurvivor}
        />
        {rows.map((row) =>
          isSame(contacts, row) ? (
            <Fixed key={row.id} label={row.label} text={row.read(contacts[0]) || '—'} />
          ) : (
            <Choices
              key={row.id}
              label={row.label}
              columns={columns}
              chosen={ownerOf(contacts, row, picks)}
              textOf={(contact) => row.read(contact) || t('contacts.merge.empty')}
              hintOf={({ name }) => (row.id === 'name' ? '' : name)}
              onChoose={(contactId) => onPick(row.id, contactId)}
            />
          ),
        )}
        <AllTags contacts={contacts} />
      </div>
      <ConsentNotes contacts={contacts} />
      <p className="text-sm text-muted">
        {otherPhones.length > 0 ? `${t('contacts.merge.otherNumbers', { n: otherPhones.length })} ` : null}
        {t('contacts.merge.follows')}
      </p>
    </>
  );
}

function Choices({
  label,
  columns,
  chosen,
  textOf,
  hintOf,
  onChoose,
}: {
  label: string;
  columns: readonly Contact[];
  chosen: string;
  textOf: (contact: Contact) => string;
  hintOf: (contact: Contact) => string;
  onChoose: (contactId: string) => void;
}) {
  const name = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-medium text-muted">{label}</legend>
      <div className="grid gap-2 sm:auto-cols-[minmax(11rem,1fr)] sm:grid-flow-col">
        {columns.map((contact) => (
          <div
            key={contact.id}
            className="rounded-card border border-border px-3 py-2 has-checked:border-primary has-checked:bg-selected"
          >
            <Radio
              name={name}
              label={<span className="wrap-anywhere">{textOf(contact)}</span>}
              hint={hintOf(contact) || undefined}
              checked={contact.id === chosen}
              onChange={() => onChoose(contact.id)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

function Fixed({ label, text }: { label: string; text: string }) {
  return (
    <div>
      <p className="text-sm font-medium text-muted">{label}</p>
      <p className="mt-0.5 wrap-anywhere">{text}</p>
    </div>
  );
}

function AllTags({ contacts }: { contacts: Merging }) {
  const tags = new Map(contacts.flatMap((contact) => contact.tags).map((tag) => [tag.toLowerCase(), tag]));
  return (
    <div>
      <p className="text-sm font-medium text-muted">{t('contacts.merge.tags')}</p>
      <p className="mt-1 flex flex-wrap gap-1.5">
        {tags.size === 0 ? '—' : [...tags.values()].map((tag) => <Badge key={tag}>{tag}</Badge>)}
      </p>
    </div>
  );
}

/** A merge never widens who may be written to; says whose block or opt-out holds, and why. */
function ConsentNotes({ contacts }: { contacts: Merging }) {
  const blocked = findBlocked(contacts);
  const optedOut = findOptOut(
    contacts.map(({ name, optedOutAt }) => ({
      name,
      optedOutAt: optedOutAt === null ? null : Date.parse(optedOutAt),
    })),
  );
  if (!blocked && !optedOut) return <Fixed label={t('contacts.field.status')} text={t('contacts.active')} />;
  return (
    <Banner tone="warning" icon={<ShieldAlert aria-hidden />}>
      {blocked ? <p>{t('contacts.merge.blocked', { name: blocked.name })}</p> : null}
      {optedOut ? (
        <p>
          {t('contacts.merge.optedOut', { name: optedOut.name, date: formatDate(optedOut.optedOutAt ?? 0) })}
        </p>
      ) : null}
      <p className="font-normal">{t('contacts.merge.consentWhy')}</p>
    </Banner>
  );
}
