import { Clock, TriangleAlert } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { formatDateTime, formatDuration } from '../formats.ts';
import { t } from '../messages.ts';
import type { Conversation } from './conversations-queries.ts';
import { useNow } from './use-now.ts';

const MINUTE_MS = 60_000;

/** By when a conversation is to be answered or resolved; `brief` where there is no room for a sentence, and the head of a chat says what fits it. */
export function DueMarker({
  due,
  brief = false,
  className,
}: {
  due: Conversation['due'];
  brief?: boolean;
  className?: string;
}) {
  const now = useNow();
  if (!due) return null;
  const at = Date.parse(due.at);
  const isMissed = at <= now;
  const isSoon = !isMissed && Date.parse(due.soonAt) <= now;
  const time = formatDuration(Math.max(1, Math.round(Math.abs(at - now) / MINUTE_MS)) * 60);
  const short = isMissed ? t('inbox.dueMissed') : isSoon ? t('inbox.dueSoon') : time;
  const words = isMissed
    ? t(due.kind === 'first_answer' ? 'teamwork.answerMissed' : 'teamwork.resolutionMissed', { time })
    : t(due.kind === 'first_answer' ? 'teamwork.answerDue' : 'teamwork.resolutionDue', { time });
  return (
    <span title={`${words} (${formatDateTime(at)})`} className={className}>
      <Badge
        tone={isMissed ? 'danger' : isSoon ? 'warning' : 'neutral'}
        icon={isMissed ? <TriangleAlert aria-hidden /> : <Clock aria-hidden />}
      >
        {brief ? (
          short
        ) : (
          <>
            <span className="@max-3xl:sr-only">{words}</span>
            <span aria-hidden className="@3xl:hidden">
              {short}
            </span>
          </>
        )}
      </Badge>
    </span>
  );
}
