import { CalendarClock, Clock } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { activeTimeZone, formatDateTime } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { useMessages } from '../../../shared/use-messages.ts';
import { WordButton } from '../../../ui/controls/word-button.tsx';
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import {
  findScheduleProblem,
  scheduledInstant,
  scheduleOf,
  scheduleProblemText,
  ScheduleFields,
} from '../../sending/schedule-fields.tsx';
import { quickTimes } from './schedule-times.ts';

/** Sends what is written later: at a time that people choose often, or at any. */
export function ScheduleButton({
  disabled,
  windowEndsAt,
  onSchedule,
}: {
  disabled: boolean;
  /** Free text does not leave behind it. */
  windowEndsAt: string | null;
  onSchedule: (at: Date) => void;
}) {
  const [isChoosing, setIsChoosing] = useState(false);
  const [openedAt, setOpenedAt] = useState<Date | null>(null);
  return (
    <>
      <Menu
        open={openedAt !== null && !disabled}
        onOpenChange={(open) => setOpenedAt(open ? new Date() : null)}
        trigger={
          <WordButton
            icon={<CalendarClock aria-hidden />}
            label={t('composer.schedule')}
            word={t('composer.schedule')}
            from="large"
            disabled={disabled}
          />
        }
        entries={[
          ...(openedAt ? quickTimes(openedAt, activeTimeZone()) : []).map(({ name, at }) => ({
            label: t(`composer.schedule.${name}`),
            icon: <Clock />,
            hint: isBehind(at, windowEndsAt)
              ? `${formatDateTime(at)} · ${t('composer.schedule.behind')}`
              : formatDateTime(at),
            onSelect: () => onSchedule(at),
          })),
          'separator',
          {
            label: t('composer.schedule.choose'),
            icon: <CalendarClock />,
            onSelect: () => setIsChoosing(true),
          },
        ]}
      />
      {isChoosing ? (
        <ScheduleDialog
          {...{ windowEndsAt }}
          title={t('composer.schedule')}
          submitLabel={t('composer.schedule.submit')}
          initial={null}
          onChoose={(at) => {
            setIsChoosing(false);
            onSchedule(at);
          }}
          onClose={() => setIsChoosing(false)}
        />
      ) : null}
    </>
  );
}

/** A time on the clocks of a zone, for a message that waits; above it what else can be changed of it. */
export function ScheduleDialog({
  title,
  submitLabel,
  initial,
  windowEndsAt,
  isSaving = false,
  isReady = true,
  whyNot,
  children,
  onChoose,
  onClose,
}: {
  title: string;
  submitLabel: string;
  initial: string | null;
  windowEndsAt: string | null;
  isSaving?: boolean;
  isReady?: boolean;
  whyNot?: string;
  children?: ReactNode;
  onChoose: (at: Date) => void;
  onClose: () => void;
}) {
  const hasWords = useMessages('sending');
  const [schedule, setSchedule] = useState(() => scheduleOf(initial));
  const [openedAt] = useState(() => Date.now());
  const problem = findScheduleProblem(schedule, openedAt);
  const at = scheduledInstant(schedule);
  if (!hasWords) return null;
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      isReady={isReady && problem === null}
      whyNot={isReady && problem ? scheduleProblemText(problem) : whyNot}
      isSaving={isSaving}
      onSubmit={() => {
        if (at) onChoose(at);
      }}
      onClose={onClose}
    >
      {children}
      <ScheduleFields schedule={schedule} onChange={setSchedule} />
      {at && isBehind(at, windowEndsAt) ? (
        <p role="status" className="text-sm text-warning">
          {t('composer.schedule.behindLong')}
        </p>
      ) : null}
    </FormDialog>
  );
}

function isBehind(at: Date, windowEndsAt: string | null): boolean {
  return windowEndsAt !== null && at.getTime() > Date.parse(windowEndsAt);
}
