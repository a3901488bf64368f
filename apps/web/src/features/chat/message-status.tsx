import { Check, CheckCheck, CircleAlert, CircleQuestionMark, CircleSlash, Clock } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { codeText } from '../../shared/languages/refusal-text.ts';
import { findText, t } from '../../shared/messages.ts';
import { formatDateTime, formatTime } from '../../shared/formats.ts';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';
import type { Message } from './timeline-window.ts';

type State = NonNullable<Message['state']>;

const icons: Record<State, ReactNode> = {
  scheduled: <Clock />,
  queued: <Clock />,
  sending: <Clock />,
  sent: <Check />,
  delivered: <CheckCheck />,
  read: <CheckCheck className="text-bubble-link" />,
  failed: <CircleAlert className="text-danger" />,
  cancelled: <CircleSlash />,
  unknown: <CircleQuestionMark className="text-warning" />,
};

/** When it was said, and how far it came; the times of each step on hover and focus. */
export function MessageMeta({ message }: { message: Message }) {
  const { state, at } = message;
  // What tells the steps is made when somebody comes near: a chat has hundreds of messages.
  const [isNear, setIsNear] = useState(false);
  const time = <time dateTime={at}>{formatTime(at)}</time>;
  const button =
    state === null ? null : (
      <button
        type="button"
        tabIndex={-1}
        onPointerEnter={() => setIsNear(true)}
        className="inline-flex items-center gap-1 [&_svg]:size-3.5"
      >
        {time}
        <span aria-hidden>{icons[state]}</span>
        <span className="sr-only">{t(`chat.state.${state}`)}</span>
      </button>
    );
  return (
    <span className="inline-flex items-center gap-1 text-xs whitespace-nowrap text-bubble-muted tabular-nums">
      {message.isEdited && !message.isRevoked ? <span>{t('chat.edited')}</span> : null}
      {button === null ? (
        time
      ) : isNear ? (
        <Tooltip text={<Steps message={message} />}>{button}</Tooltip>
      ) : (
        button
      )}
    </span>
  );
}

/** Every step with its time; what did not happen is left out. */
export function Steps({ message }: { message: Message }) {
  const steps = stepsOf(message);
  return (
    <dl className="grid grid-cols-[auto_auto] gap-x-3 gap-y-0.5">
      {steps.map(([name, at]) => (
        <div key={name} className="contents">
          <dt>{name}</dt>
          <dd className="text-end tabular-nums">{at === null ? '' : formatDateTime(at)}</dd>
        </div>
      ))}
    </dl>
  );
}

function stepsOf({ state, at, sentAt, deliveredAt, readAt, failedAt }: Message): [string, string | null][] {
  const times: [string, string | null][] = [
    [t('chat.step.written'), at],
    [t('chat.state.sent'), sentAt],
    [t('chat.state.delivered'), deliveredAt],
    [t('chat.state.read'), readAt],
    [t('chat.state.failed'), failedAt],
  ];
  const known = times.filter(([, time]) => time !== null);
  const isOpen = state !== null && ['queued', 'sending', 'unknown', 'cancelled'].includes(state);
  return isOpen ? [...known, [t(`chat.state.${state}`), null]] : known;
}

/** Why it did not arrive, in plain words with the platform's code behind them; null where nothing went wrong. */
export function problemText({ state, error }: Message): string | null {
  if (state === 'unknown') return t('chat.unknownText');
  if (error === null || (state !== 'failed' && state !== 'cancelled')) return null;
  const text =
    findText(`deliveries.left.${error.code}`) ??
    codeText(error.code) ??
    findText(`outbox.refused.${error.code}`) ??
    (error.detail || t('chat.notSent'));
  return /^\d+$/.test(error.code) ? `${text} ${t('chat.code', { code: error.code })}` : text;
}
