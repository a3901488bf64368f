import { Clock, TriangleAlert } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { formatDateTime, formatDuration } from '../formats.ts';
import { t } from '../messages.ts';
import type { Conversation } from './conversations-queries.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;

/** By when a conversation is to be answered or resolved: shown from when it is about to be missed, and always where `always` says so; `brief` where there is no room for how long. */
export function DueMarker({
  due,
  always = false,
  brief = false,
  className,
}: {
  due: Conversation['due'];
  always?: boolean;
  brief?: boolean;
  className?: string;
}) {
  const now = useNow();
  if (!due) return null;
  const at = Date.parse(due.at);
  const isMissed = at <= now;
  const isSoon = !isMissed && Date.parse(due.soonAt) <= now;
  if (!isMissed && !isSoon && !always) return null;
  const time = formatDuration(Math.max(1, Math.round(Math.abs(at - now) / MINUTE_MS)) * 60);
  const words = brief
    ? t(isMissed ? 'inbox.dueMissed' : 'inbox.dueSoon')
    : isMissed
      ? t(due.kind === 'first_answer' ? 'teamwork.answerMissed' : 'teamwork.resolutionMissed', { time })
      : t(due.kind === 'first_answer' ? 'teamwork.answerDue' : 'teamwork.resolutionDue', { time });
  return (
    <span title={formatDateTime(at)} className={className}>
      <Badge
        tone={isMissed ? 'danger' : isSoon ? 'warning' : 'neutral'}
        icon={isMissed ? <TriangleAlert aria-hidden /> : <Clock aria-hidden />}
      >
        {words}
      </Badge>
    </span>
  );
}
