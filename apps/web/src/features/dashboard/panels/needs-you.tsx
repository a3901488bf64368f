import { attentionLimits, type AttentionKind } from '@app/domain/dashboard/attention';
import { Link } from '@tanstack/react-router';
import { ChevronRight, FileText, Megaphone, MessageSquare, PhoneOff, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatNumber } from '../../../shared/formats.ts';
import { findText, t } from '../../../shared/messages.ts';
import { paths } from '../../../shared/paths.ts';
import { can } from '../../../shared/session.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Panel } from '../../../ui/page-frame.tsx';
import { pauseText } from '../../sending/delivery-words.ts';
import type { Attention } from '../dashboard-queries.ts';

type Named = Attention['named'][number];
type Target = { to: string; search?: Record<string, string> };

const ICONS: Record<AttentionKind, ReactNode> = {
  number_stopped: <PhoneOff />,
  number_disconnected: <PhoneOff />,
  number_trouble: <PhoneOff />,
  campaign_paused: <Megaphone />,
  campaign_failed: <Megaphone />,
  chats_mine: <MessageSquare />,
  chats_unassigned: <MessageSquare />,
  person_waiting: <UserPlus />,
  template_rejected: <FileText />,
  template_paused: <FileText />,
};
/** Nothing or less leaves while it lasts. */
const GRAVE: readonly AttentionKind[] = ['number_stopped', 'number_disconnected', 'number_trouble'];

/** What waits for somebody now, each a link to where it is put right. */
export function NeedsYou({ items }: { items: readonly Attention[] }) {
  return (
    <Panel title={t('home.needs.title')} flush>
      <ul aria-label={t('home.needs.title')} className="divide-y divide-border pb-1">
        {items.flatMap(({ kind, total, named }) => {
          const rest = total - named.length;
          if (named.length === 0)
            return <Need key={kind} kind={kind} target={listOf(kind)} text={sayCounted(kind, total)} />;
          return [
            ...named.map((one) => (
              <Need
                key={`${kind} ${one.id}`}
                kind={kind}
                target={targetOf(kind, one)}
                text={t(`home.needs.${kind}`, { name: one.name, n: one.failed ?? 0 })}
                why={<Why kind={kind} one={one} />}
              />
            )),
            rest > 0 ? (
              <Need
                key={`${kind} more`}
                kind={kind}
                target={listOf(kind)}
                text={t('home.needs.more', { n: rest, count: sayCount(rest, total) })}
              />
            ) : null,
          ];
        })}
      </ul>
    </Panel>
  );
}

function Need({
  kind,
  target: { to, search = {} },
  text,
  why,
}: {
  kind: AttentionKind;
  target: Target;
  text: string;
  why?: ReactNode;
}) {
  return (
    <li className="relative flex items-center gap-3 px-5 py-2.5 hover:bg-hover">
      <span
        aria-hidden
        className={classNames(
          'shrink-0 [&_svg]:size-4',
          GRAVE.includes(kind) ? 'text-danger' : 'text-warning',
        )}
      >
        {ICONS[kind]}
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={to}
          search={search}
          className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {text}
        </Link>
        {why}
      </div>
      <ChevronRight aria-hidden className="size-4 shrink-0 text-muted rtl:rotate-180" />
    </li>
  );
}

/** Why it is so, once the words of the platform's codes are there. */
function Why({ kind, one: { code, about } }: { kind: AttentionKind; one: Named }) {
  const hasPauses = useMessages('deliveries');
  const hasProblems = useMessages('connection');
  // Words about a template that waits: its pause has some of its own until they are there.
  useMessages('sending', code === 'template_not_approved');
  if (code === null) return null;
  const text =
    kind === 'number_trouble'
      ? hasProblems && findText(`connection.problem.${code}`)
      : hasPauses && pauseText({ pauseReason: '', pauseCode: code, pauseName: about });
  return text ? <p className="text-sm text-pretty text-muted">{text}</p> : null;
}

function sayCounted(kind: AttentionKind, total: number): string {
  const values = { n: total, count: sayCount(total, total) };
  return t(kind === 'chats_mine' ? 'home.needs.chats_mine' : 'home.needs.chats_unassigned', values);
}

/** `99+` where no more was counted. */
function sayCount(count: number, total: number): string {
  return total < attentionLimits.counted ? formatNumber(count) : `${formatNumber(count - 1)}+`;
}

function targetOf(kind: AttentionKind, { id }: Named): Target {
  switch (kind) {
    case 'campaign_paused':
    case 'campaign_failed':
      return { to: paths.campaign(id) };
    case 'template_rejected':
    case 'template_paused':
      return { to: paths.templates, search: { dialog: 'edit', template: id } };
    default:
      return listOf(kind);
  }
}

/** The page that lists all of a kind. */
function listOf(kind: AttentionKind): Target {
  switch (kind) {
    case 'number_stopped':
    case 'number_disconnected':
    case 'number_trouble':
      // Who may not open the connection sees there which campaigns it holds up.
      return can('settings:read') ? { to: paths.settings, search: { tab: 'api' } } : { to: paths.campaigns };
    case 'campaign_paused':
      return { to: paths.campaigns, search: { status: 'paused' } };
    case 'campaign_failed':
      return { to: paths.campaigns, search: { status: 'completed' } };
    case 'chats_mine':
      return { to: paths.inbox, search: { tab: 'unread', assignee: 'me' } };
    case 'chats_unassigned':
      return { to: paths.inbox, search: { tab: 'unread', assignee: 'nobody' } };
    case 'person_waiting':
      return { to: paths.users, search: { status: 'waiting' } };
    case 'template_rejected':
      return { to: paths.templates, search: { status: 'rejected' } };
    case 'template_paused':
      return { to: paths.templates, search: { status: 'pending' } };
  }
}
