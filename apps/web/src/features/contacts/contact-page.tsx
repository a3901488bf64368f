import { languageName } from '../../shared/contacts/contact-languages.ts';
import { formatPhone } from '@app/domain/contacts/format-phone';
import { isUuid } from '@app/domain/uuid';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import {
  ArrowLeft,
  ClipboardCheck,
  EllipsisVertical,
  Eraser,
  FileDown,
  MessageSquare,
  Pencil,
  Trash2,
  UserX,
} from 'lucide-react';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { readFailure } from '../../shared/api.ts';
import { customValueText, useCustomFields } from '../../shared/contacts/custom-fields.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { formatDateTime } from '../../shared/formats.ts';
import { ButtonLink } from '../../shared/links.tsx';
import { useLiveQuery } from '../../shared/live/use-live-query.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, useSession } from '../../shared/session.ts';
import { readOneOf, useUrlState } from '../../shared/url-state.ts';
import { useLoadAhead } from '../../shared/use-load-ahead.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { lazyDetail } from '../../ui/load-file.ts';
import { lazyDialog } from '../../ui/overlays/lazy-dialog.tsx';
import { Menu, type MenuEntry } from '../../ui/overlays/menu.tsx';
import { PageFrame, Panel } from '../../ui/page-frame.tsx';
import { EmptyState, ErrorState, Skeleton, SkeletonRegion } from '../../ui/states.tsx';
import { ConsentPanel } from './consent-panel.tsx';
import { ContactStatus } from './list/contact-columns.tsx';
import { contactKeys } from '../../shared/contacts/contact-keys.ts';
import { contactOptions, type Contact } from '../../shared/contacts/contacts-queries.ts';
import { TimelinePanel } from './timeline-panel.tsx';
import { exportPersonData, mayExportContacts } from './export-contacts.ts';
import { useDeleteContact } from './use-delete-contact.ts';
import { useEraseContact } from './use-erase-contact.ts';

const loadContactDialog = async () => (await import('./contact-dialog.tsx')).ContactDialog;
const loadConsentDialog = async () => (await import('./consent-dialog.tsx')).ConsentDialog;
const dialogs = [loadContactDialog, loadConsentDialog];
const ContactDialog = lazyDialog(loadContactDialog);
const ConsentDialog = lazyDialog(loadConsentDialog);
const BestTimePanel = lazyDetail(async () => (await import('./best-time-panel.tsx')).BestTimePanel);
const ContactWorkflows = lazyDetail(
  async () => (await import('../../shared/automation/contact-workflows.tsx')).ContactWorkflows,
);

function readContactSearch(search: Record<string, unknown>) {
  return { dialog: readOneOf(search, 'dialog', ['', 'edit', 'consent']) };
}

export function ContactPage() {
  const { contactId = '' } = useParams({ strict: false });
  const [{ dialog }] = useUrlState(readContactSearch);
  const [isLeaving, setLeaving] = useState(false);
  const found = useQuery(contactOptions(contactId));
  const navigate = useNavigate();
  useSession();
  useLoadAhead(dialogs);
  useLiveQuery(['contacts', 'messages'], contactKeys(), {
    isOn: !isLeaving,
    concerns: ({ contactId: changed }) => changed === undefined || changed === contactId,
  });

  // Merged into another contact meanwhile; an open form keeps what was typed, and hears of it when it is saved.
  const survivorId = found.data && found.data.id !== contactId && dialog === '' ? found.data.id : null;
  useEffect(() => {
    if (survivorId) void navigate({ to: paths.contact(survivorId), replace: true });
  }, [survivorId, navigate]);

  const isMissing =
    found.isError && ['contact_not_found', 'invalid_input'].includes(readFailure(found.error).code);
  // Deleted by somebody else: an open form keeps what was typed and says so itself.
  if (found.data && (!isMissing || isLeaving || dialog !== ''))
    return <FoundContact contact={found.data} onLeaving={setLeaving} />;
  return (
    <PageFrame title={t('contacts.column.contact')} back={<BackLink />}>
      {isMissing ? (
        <EmptyState
          icon={<UserX />}
          title={t('contacts.error.notFound')}
          action={
            <span className="flex flex-wrap justify-center gap-2">
              <ButtonLink to={paths.contacts}>{t('contacts.backToList')}</ButtonLink>
              {mayExport() && isUuid(contactId) ? (
                <Button icon={<FileDown aria-hidden />} onClick={() => void exportPersonData(contactId)}>
                  {t('contacts.exportData')}
                </Button>
              ) : null}
            </span>
          }
        />
      ) : found.isError ? (
        <ErrorState text={errorMessage(found.error)} onRetry={() => void found.refetch()} />
      ) : (
        <SkeletonRegion className="grid gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <Skeleton className="h-72" />
          <Skeleton className="h-96" />
        </SkeletonRegion>
      )}
    </PageFrame>
  );
}

function FoundContact({ contact, onLeaving }: { contact: Contact; onLeaving: (isLeaving: boolean) => void }) {
  const [{ dialog }, setUrl] = useUrlState(readContactSearch);
  const askToDelete = useDeleteContact();
  const askToErase = useEraseContact();
  const navigate = useNavigate();
  const close = () => setUrl({ dialog: undefined });

  async function leaveAfter(ask: ReturnType<typeof useDeleteContact>) {
    onLeaving(true);
    if (!(await ask(contact, () => navigate({ to: paths.contacts })))) onLeaving(false);
  }

  const mayWrite = can('messages:create') && can('messages:read');
  const entries: MenuEntry[] = [
    ...(mayExport()
      ? [
          {
            label: t('contacts.exportData'),
            icon: <FileDown aria-hidden />,
            onSelect: () => void exportPersonData(contact.id),
          },
        ]
      : []),
    ...(can('contacts:delete')
      ? [
          {
            label: t('common.delete'),
            icon: <Trash2 aria-hidden />,
            danger: true,
            onSelect: () => void leaveAfter(askToDelete),
          },
          {
            label: t('contacts.erase'),
            icon: <Eraser aria-hidden />,
            danger: true,
            onSelect: () => void leaveAfter(askToErase),
          },
        ]
      : []),
  ];

  return (
    <PageFrame
      title={contact.name}
      purpose={contact.phone ? formatPhone(contact.phone) : t('contacts.hiddenNumber')}
      back={<BackLink />}
      actions={
        can('contacts:update') || mayWrite || entries.length > 0 ? (
          <>
            {mayWrite ? (
              <ButtonLink
                to={paths.inbox}
                search={{ dialog: 'new-chat', contact: contact.id }}
                variant="primary"
                icon={<MessageSquare aria-hidden />}
              >
                {t('contacts.message')}
              </ButtonLink>
            ) : null}
            {can('contacts:update') ? (
              <Button
                iconOnSmall
                icon={<ClipboardCheck aria-hidden />}
                onClick={() => setUrl({ dialog: 'consent' }, { push: true })}
              >
                {t('contacts.consent.record')}
              </Button>
            ) : null}
            {can('contacts:update') ? (
              <Button
                variant={mayWrite ? 'secondary' : 'primary'}
                iconOnSmall={mayWrite}
                icon={<Pencil aria-hidden />}
                onClick={() => setUrl({ dialog: 'edit' }, { push: true })}
              >
                {t('common.edit')}
              </Button>
            ) : null}
            {entries.length > 0 ? (
              <Menu
                trigger={
                  <IconButton variant="secondary" label={t('contacts.more')}>
                    <EllipsisVertical aria-hidden />
                  </IconButton>
                }
                entries={entries}
              />
            ) : null}
          </>
        ) : undefined
      }
    >
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <div className="grid grid-cols-1 gap-4">
          <Details contact={contact} />
          <CustomValuesPanel contact={contact} />
          <ConsentPanel contact={contact} />
          {can('messages:read') ? (
            <Suspense fallback={<Skeleton className="h-64" />}>
              <BestTimePanel contactId={contact.id} />
            </Suspense>
          ) : null}
          {can('campaigns:read') ? (
            <Suspense fallback={<Skeleton className="h-24" />}>
              <ContactWorkflows contactId={contact.id} />
            </Suspense>
          ) : null}
        </div>
        {can('messages:read') ? <TimelinePanel contactId={contact.id} /> : null}
      </div>
      <Suspense>
        {dialog === 'edit' && can('contacts:update') ? (
          <ContactDialog contactId={contact.id} onClose={close} />
        ) : null}
        {dialog === 'consent' && can('contacts:update') ? (
          <ConsentDialog contact={contact} onClose={close} />
        ) : null}
      </Suspense>
    </PageFrame>
  );
}

/** The file is made of all of these. */
function mayExport(): boolean {
  return mayExportContacts() && can('messages:read') && can('campaigns:read');
}

function Details({ contact }: { contact: Contact }) {
  return (
    <Panel title={t('contacts.details')}>
      <dl className="grid grid-cols-1 gap-3">
        <Detail label={t('contacts.column.status')}>
          <ContactStatus contact={contact} />
        </Detail>
        <Detail label={t('contacts.column.phone')}>
          {contact.phone ? formatPhone(contact.phone) : t('contacts.hiddenNumber')}
        </Detail>
        <Detail label={t('contacts.column.email')}>
          {contact.email ? (
            <a className="text-primary-text underline" href={`mailto:${encodeURIComponent(contact.email)}`}>
              {contact.email}
            </a>
          ) : (
            '—'
          )}
        </Detail>
        <Detail label={t('contacts.column.language')}>
          {contact.language ? (
            <Link
              to={paths.contacts}
              search={{ filter: `language:${contact.language}` }}
              className="underline"
            >
              {languageName(contact.language)}
            </Link>
          ) : (
            '—'
          )}
        </Detail>
        <Detail label={t('contacts.column.tags')}>
          {contact.tags.length === 0 ? '—' : null}
          <span className="flex flex-wrap gap-1.5">
            {contact.tags.map((tag) => (
              <Link
                key={tag}
                to={paths.contacts}
                search={{ filter: `tag:${tag}` }}
                className="flex max-w-full rounded-full"
              >
                <Badge>{tag}</Badge>
              </Link>
            ))}
          </span>
        </Detail>
        <Detail label={t('contacts.column.lastMessage')}>
          {contact.lastMessageTime ? formatDateTime(contact.lastMessageTime) : t('contacts.noMessage')}
        </Detail>
        <Detail label={t('contacts.createdAt')}>{formatDateTime(contact.createdAt)}</Detail>
      </dl>
    </Panel>
  );
}

/** Every field, so that people see what is still unknown. */
function CustomValuesPanel({ contact }: { contact: Contact }) {
  const fields = useCustomFields() ?? [];
  if (fields.length === 0) return null;
  return (
    <Panel title={t('contacts.fields')}>
      <dl className="grid gap-3">
        {fields.map(({ id, key, label, type }) => {
          const value = contact.customFields[key];
          return (
            <Detail key={id} label={label}>
              {value === undefined ? '—' : customValueText(type, value)}
            </Detail>
          );
        })}
      </dl>
    </Panel>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 wrap-anywhere tabular-nums">{children}</dd>
    </div>
  );
}

function BackLink() {
  return (
    <ButtonLink
      to={paths.contacts}
      variant="ghost"
      size="small"
      className="-ml-2.5 text-muted"
      icon={<ArrowLeft aria-hidden />}
    >
      {t('contacts.backToList')}
    </ButtonLink>
  );
}
