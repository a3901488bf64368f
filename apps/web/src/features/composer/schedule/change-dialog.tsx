import { stillNeeded } from '../../../shared/actions/still-needed.ts';
import { conversationLimits } from '@app/domain/conversations/conversation-status';
import { useState } from 'react';
import { t } from '../../../shared/messages.ts';
import { Field } from '../../../ui/field.tsx';
import { Textarea } from '../../../ui/input.tsx';
import { ScheduleDialog } from './schedule-button.tsx';

export type ScheduledChange = { sendAt?: string; text?: string };

const MINUTE_MS = 60_000;

/** Another time for a message that waits, and other words if it is a text. Only what was changed is told. */
export function ChangeDialog({
  message,
  windowEndsAt,
  isSaving,
  onChange,
  onClose,
}: {
  message: { type: string; text: string; sendAt: string };
  windowEndsAt: string | null;
  isSaving: boolean;
  onChange: (change: ScheduledChange) => void;
  onClose: () => void;
}) {
  const [text, setText] = useState(message.text);
  const isText = message.type === 'text';
  // Clocks show minutes.
  const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS);
  return (
    <ScheduleDialog
      title={t('composer.scheduled.change')}
      submitLabel={t('common.save')}
      initial={message.sendAt}
      {...{ windowEndsAt, isSaving, onClose }}
      isReady={!isText || text.trim() !== ''}
      whyNot={stillNeeded(t('composer.scheduled.text'))}
      onChoose={(at) =>
        onChange({
          ...(minuteOf(at) !== minuteOf(new Date(message.sendAt)) && { sendAt: at.toISOString() }),
          ...(isText && text.trim() !== message.text && { text: text.trim() }),
        })
      }
    >
      {isText ? (
        <Field label={t('composer.scheduled.text')} required>
          <Textarea
            rows={4}
            value={text}
            maxLength={conversationLimits.text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      ) : null}
    </ScheduleDialog>
  );
}
