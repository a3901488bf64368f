import { formatRelativeTime } from '../../shared/formats.ts';
import { t, type Locale } from '../../shared/messages.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/table/table-column.ts';
import type { Contact } from '../../shared/contacts/contacts-queries.ts';

const SHOWN_TAGS = 2;

/** The headings are words of the language that is active now. */
export function contactColumns(_locale: Locale): Column<Contact>[] {
  return [
    {
      id: 'contact',
      header: t('contacts.column.contact'),
      width: 'minmax(10rem, 1.6fr)',
      sortable: true,
      card: 'title',
      cell: ({ name }) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar name={name} />
          <span dir="auto" className="truncate font-medium" title={name}>
            {name}
          </span>
        </span>
      ),
    },
    {
      id: 'phone',
      header: t('contacts.column.phone'),
      width: 'minmax(9rem, 1fr)',
      card: 'subtitle',
      cell: ({ phone }) =>
        phone ? (
          <span className="tabular-nums">{phone}</span>
        ) : (
          <span className="text-muted">{t('contacts.hiddenNumber')}</span>
        ),
    },
    {
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
    {
      id: 'tags',
      header: t('contacts.column.tags'),
      width: 'minmax(7rem, 1.3fr)',
      hideBelow: 'md',
      cell: ({ tags }) => <Tags tags={tags} />,
    },
    {
      id: 'status',
      header: t('contacts.column.status'),
      width: '7.5rem',
      cell: (contact) => <ContactStatus contact={contact} />,
    },
    {
      id: 'lastMessage',
      header: t('contacts.column.lastMessage'),
      width: 'minmax(9.25rem, 1.2fr)',
      hideBelow: 'xl',
      sortable: true,
      cell: ({ lastMessage, lastMessageTime }) =>
        lastMessageTime ? (
          <span className="flex min-w-0 flex-col leading-tight">
            <span dir="auto" className="truncate" title={lastMessage ?? undefined}>
              {lastMessage}
            </span>
            <span className="text-sm text-muted">{formatRelativeTime(lastMessageTime)}</span>
          </span>
        ) : (
          <span className="block truncate text-muted">{t('contacts.noMessage')}</span>
        ),
    },
  ];
}

export function ContactStatus({ contact }: { contact: Contact }) {
  if (contact.status === 'blocked') return <Badge tone="danger">{t('contacts.blocked')}</Badge>;
  if (contact.optedOutAt) return <Badge tone="warning">{t('contacts.optedOut')}</Badge>;
  return <Badge tone="success">{t('contacts.active')}</Badge>;
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <span className="text-muted">—</span>;
  return (
    <span className="flex min-w-0 items-center gap-1 overflow-hidden" title={tags.join(', ')}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge key={tag} className="min-w-0">
          {tag}
        </Badge>
      ))}
      {tags.length > SHOWN_TAGS ? (
        <span className="shrink-0 text-sm text-muted">
          {t('contacts.moreTags', { n: tags.length - SHOWN_TAGS })}
        </span>
      ) : null}
    </span>
  );
}
