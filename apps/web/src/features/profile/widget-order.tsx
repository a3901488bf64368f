import { dashboardWidgets, type DashboardWidget } from '@app/domain/profile/preferences';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { t } from '../../shared/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/controls/choice.tsx';
import { FieldGroup } from '../../ui/field.tsx';

/** Which parts the home has, and in which order; those that are left out stand last. */
export function WidgetOrder({
  shown,
  onChange,
}: {
  shown: readonly DashboardWidget[];
  onChange: (shown: DashboardWidget[]) => void;
}) {
  const hidden = dashboardWidgets.filter((widget) => !shown.includes(widget));
  const move = (widget: DashboardWidget, by: -1 | 1) => {
    const from = shown.indexOf(widget);
    const order = shown.filter((other) => other !== widget);
    order.splice(from + by, 0, widget);
    onChange(order);
  };
  return (
    <FieldGroup legend={t('profile.preferences.widgets')}>
      <ul className="overflow-hidden rounded-card border border-border">
        {[...shown, ...hidden].map((widget) => {
          const name = t(`profile.preferences.widget.${widget}`);
          const place = shown.indexOf(widget);
          return (
            <li
              key={widget}
              className="flex min-h-10 items-center gap-1 border-b border-border pr-1 pl-3 last:border-b-0"
            >
              <Checkbox
                className="flex-1"
                label={name}
                checked={place >= 0}
                onChange={(event) =>
                  onChange(
                    event.target.checked ? [...shown, widget] : shown.filter((other) => other !== widget),
                  )
                }
              />
              {place >= 0 ? (
                <>
                  <IconButton
                    size="small"
                    label={t('profile.preferences.earlier', { name })}
                    disabled={place === 0}
                    onClick={() => move(widget, -1)}
                  >
                    <ArrowUp aria-hidden />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={t('profile.preferences.later', { name })}
                    disabled={place === shown.length - 1}
                    onClick={() => move(widget, 1)}
                  >
                    <ArrowDown aria-hidden />
                  </IconButton>
                </>
              ) : null}
            </li>
          );
        })}
      </ul>
    </FieldGroup>
  );
}
