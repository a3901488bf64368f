import {
  notificationWays,
  type NotificationWay,
  type OptionChoice,
} from '@app/domain/notifications/notification-choices';
import type { NotificationOption } from '@app/domain/notifications/notification-kinds';
import { t } from '../../shared/messages.ts';
import { Checkbox } from '../../ui/controls/choice.tsx';

/** Each thing that people are told of, with a box for each way. A way that is off as a whole shows what was chosen, and changes nothing. */
export function ChoiceTable({
  ways,
  options,
  onChange,
}: {
  ways: Record<NotificationWay, boolean>;
  options: readonly { option: NotificationOption; choice: OptionChoice }[];
  onChange: (option: NotificationOption, choice: OptionChoice) => void;
}) {
  return (
    <table className="w-full text-left">
      <thead>
        <tr className="border-b border-border text-sm text-muted">
          <th scope="col" className="py-2 pr-3 font-medium">
            {t('notifications.choices.kind')}
          </th>
          {notificationWays.map((way) => (
            <th
              key={way}
              scope="col"
              className="w-12 px-0.5 py-2 text-center text-xs font-medium sm:w-28 sm:px-1 sm:text-sm"
              title={ways[way] ? undefined : wayOff(way)}
            >
              {t(`notifications.way.${way}`)}
              {ways[way] ? null : <span className="sr-only"> {wayOff(way)}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {options.map(({ option, choice }) => (
          <tr key={option} className="border-b border-border align-top last:border-b-0">
            <th scope="row" className="py-3 pr-3 font-medium">
              {t(`notifications.option.${option}`)}
              <span className="block text-sm font-normal text-muted">
                {t(`notifications.optionHint.${option}`)}
              </span>
            </th>
            {notificationWays.map((way) => (
              <td key={way} className="px-0.5 py-3 text-center sm:px-1">
                <Checkbox
                  className="inline-flex min-h-6 min-w-6 justify-center"
                  label={`${t(`notifications.option.${option}`)}: ${t(`notifications.way.${way}`)}`}
                  hideLabel
                  disabled={!ways[way]}
                  checked={choice[way]}
                  onChange={(event) => onChange(option, { ...choice, [way]: event.target.checked })}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const wayOff = (way: NotificationWay) =>
  t('notifications.choices.wayOff', { way: t(`notifications.way.${way}`) });
