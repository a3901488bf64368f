import { Link } from '@tanstack/react-router';
import {
  defaultLayout,
  fieldOfColumn,
  type ChosenColumn,
  type ListColumn,
} from '@app/domain/contacts/contact-list-layout';
import { formatPhone } from '@app/domain/contacts/format-phone';
import { customValueText, type CustomField } from '../../../shared/contacts/custom-fields.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { formatDate, formatRelativeTime } from '../../../shared/formats.ts';
import { t, type Locale } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import type { TableDensity } from '../../../ui/table/data-table-props.ts';
import type { Column } from '../../../ui/table/table-column.ts';
import type { Contact } from '../../../shared/contacts/contacts-queries.ts';
import { Tags } from '../../../shared/contacts/tags.tsx';

export type ColumnWish = {
  columns: readonly ChosenColumn[];
  density: TableDensity;
  fields: readonly CustomField[];
};

/** The name and what was chosen behind it; the headings are words of the language that is active now. */
export function contactColumns(_locale: Locale, { columns, density, fields }: ColumnWish): Column<Contact>[] {
  const all = ofProduct(density);
  const chosen = columns.flatMap((column) => {
    const fieldId = fieldOfColumn(column);
    if (fieldId === null) return all[column as ListColumn]; // it is no field's
    return fields.filter(({ id }) => id === fieldId).map(fieldOf);
  });
  return [
    nameColumn(density),
    ...(isDefault(columns) ? chosen : chosen.map(withoutLimit)),
    // Two lines of a small screen say who cannot be reached, and the number, whatever else was chosen.
    ...(columns.includes('phone') ? [] : [{ ...all.phone, id: 'line-phone', isLineOnly: true }]),
    { ...all.status, id: 'line-status', isLineOnly: true, line: 'end', cell: trouble },
  ];
}

const isDefault = (columns: readonly ChosenColumn[]) => columns.join() === defaultLayout.columns.join();

/** What somebody chose is there on every screen that has columns: they share the room. */
function withoutLimit({ width, ...column }: Column<Contact>): Column<Contact> {
  return {
    ...column,
    hideBelow: undefined,
    width: `minmax(0, ${/[\d.]+(?=rem)/.exec(width ?? '')?.[0] ?? '8'}fr)`,
  };
}

function nameColumn(density: TableDensity): Column<Contact> {
  return {
    id: 'contact',
    header: t('contacts.column.contact'),
    width: 'minmax(10rem, 1.6fr)',
    sortable: true,
    card: 'title',
    line: 'title',
    cell: ({ id, name }) => (
      <span className="flex min-w-0 items-center gap-2.5">
        {density === 'comfortable' ? (
          <span className="max-sm:hidden">
            <Avatar name={name} />
          </span>
        ) : null}
        <Link
          to={paths.contact(id)}
          dir="auto"
          title={name}
          className="min-w-0 truncate rounded-sm font-medium hover:underline focus-visible:underline"
        >
          {name}
        </Link>
      </span>
    ),
  };
}

function ofProduct(density: TableDensity): Record<ListColumn, Column<Contact>> {
  const isCompact = density === 'compact';
  return {
    phone: {
      id: 'phone',
      header: t('contacts.column.phone'),
      width: 'minmax(9.5rem, 1fr)',
      card: 'subtitle',
      line: 'second',
      cell: ({ phone }) =>
        phone ? (
          <span className="whitespace-nowrap tabular-nums">{formatPhone(phone)}</span>
        ) : (
          <span className="text-muted">{t('contacts.hiddenNumber')}</span>
        ),
    },
    email: {
      id: 'email',
      header: t('contacts.column.email'),
      width: 'minmax(7.5rem, 1.2fr)',
      hideBelow: 'lg',
      cell: ({ email }) => (
        <span className="block truncate text-muted" title={email ?? undefined}>
          {email ?? '—'}
        </span>
      ),
    },
    language: {
      id: 'language',
      header: t('contacts.column.language'),
      width: 'minmax(7.5rem, 1fr)',
      hideBelow: 'md',
      cell: ({ language }) => (
        <span className="block truncate text-muted">{language ? languageName(language) : '—'}</span>
      ),
    },
    tags: {
      id: 'tags',
      header: t('contacts.column.tags'),
      width: 'minmax(8rem, 1.3fr)',
      hideBelow: 'md',
      cell: ({ tags }) => <Tags tags={tags} />,
    },
    status: {
      id: 'status',
      header: t('contacts.column.status'),
      width: '7.5rem',
      cell: (contact) => <ContactStatus contact={contact} />,
    },
    lastMessage: {
      id: 'lastMessage',
      header: t('contacts.column.lastMessage'),
      width: 'minmax(9.25rem, 1.2fr)',
      hideBelow: 'xl',
      line: 'second',
      sortable: true,
      cell: ({ lastMessage, lastMessageTime }) =>
        lastMessageTime ? (
          <span
            className={
              isCompact
                ? 'flex min-w-0 gap-2'
                : 'flex min-w-0 flex-col leading-tight max-sm:flex-row max-sm:gap-1'
            }
          >
            <span dir="auto" className="truncate max-sm:hidden" title={lastMessage ?? undefined}>
              {lastMessage}
            </span>
            <span className="text-sm whitespace-nowrap text-muted">
              {formatRelativeTime(lastMessageTime)}
            </span>
          </span>
        ) : (
          <span className="block truncate text-muted max-sm:hidden">{t('contacts.noMessage')}</span>
        ),
    },
    createdAt: {
      id: 'createdAt',
      header: t('contacts.column.createdAt'),
      width: '8rem',
      hideBelow: 'md',
      cell: ({ createdAt }) => <span className="text-muted">{formatDate(createdAt)}</span>,
    },
    optedOutAt: {
      id: 'optedOutAt',
      header: t('contacts.column.optedOutAt'),
      width: '8rem',
      hideBelow: 'md',
      cell: ({ optedOutAt }) => (
        <span className="text-muted">{optedOutAt ? formatDate(optedOutAt) : '—'}</span>
      ),
    },
  };
}

function fieldOf({ id, key, label, type }: CustomField): Column<Contact> {
  return {
    id: `field:${id}`,
    header: label,
    width: 'minmax(7.5rem, 1fr)',
    hideBelow: 'md',
    align: type === 'number' ? 'end' : 'start',
    cell: ({ customFields }) => {
      const value = customFields[key];
      const text = value === undefined ? '—' : customValueText(type, value);
      return (
        <span dir="auto" className={value === undefined ? 'text-muted' : 'block truncate'} title={text}>
          {text}
        </span>
      );
    },
  };
}

export function ContactStatus({ contact }: { contact: Contact }) {
  if (contact.status === 'blocked') return <Badge tone="danger">{t('contacts.blocked')}</Badge>;
  if (contact.optedOutAt) return <Badge tone="warning">{t('contacts.optedOut')}</Badge>;
  return <Badge tone="success">{t('contacts.active')}</Badge>;
}

function trouble(contact: Contact) {
  return contact.status === 'blocked' || contact.optedOutAt ? <ContactStatus contact={contact} /> : null;
}
