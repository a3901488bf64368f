import {
  dashboardLayouts,
  offeredChannels,
  themes,
  type Preferences,
  type Theme,
} from '@app/domain/profile/preferences';
import { interfaceLanguages } from '@app/domain/text/interface-language';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, orpc } from '../../shared/api.ts';
import { AlertSettings } from '../../shared/alerts/alert-settings.tsx';
import { useAction } from '../../shared/actions/use-action.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { chooseLanguage } from '../../shared/languages/choose-language.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { activeLocale, t, type Locale } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, readSessionAnew, useSession } from '../../shared/session.ts';
import { setTheme, themeChoice, useThemeChoice } from '../../shared/theme.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Radio } from '../../ui/controls/choice.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Switch } from '../../ui/controls/switch.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { profileOptions } from './profile-queries.ts';
import type { Profile } from './profile-values.ts';
import { WidgetOrder } from './widget-order.tsx';

type Chosen = Preferences & { language: Locale };

/** How the product looks to them, and what it tells them; kept with the account. */
export function PreferencesTab({ profile }: { profile: Profile }) {
  const { user } = useSession();
  const [saved, setSaved] = useState<Chosen>(() => ({
    ...profile.preferences,
    // What the screen shows, until they have chosen.
    theme: user?.theme ?? themeChoice(),
    language: activeLocale(),
  }));
  const [chosen, setChosen] = useState(saved);
  // Chosen in the menu meanwhile: it is saved already.
  const shown = useThemeChoice();
  const [seen, setSeen] = useState(shown);
  if (shown !== seen) {
    setSeen(shown);
    setSaved({ ...saved, theme: shown });
    setChosen({ ...chosen, theme: shown });
  }
  const isDirty = JSON.stringify(chosen) !== JSON.stringify(saved);
  useUnsavedWarning(isDirty);
  const save = useSave((done) => setSaved(done));
  const change = (part: Partial<Chosen>) => setChosen({ ...chosen, ...part });
  return (
    <form
      className="grid items-start gap-4 lg:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(chosen);
      }}
    >
      <Panel title={t('profile.preferences.appearance')}>
        <div className="flex flex-col gap-4">
          <Field label={t('profile.preferences.theme')}>
            <Select<Theme>
              value={chosen.theme}
              onChange={(theme) => change({ theme })}
              options={themes.map((value) => ({ value, label: t(`profile.preferences.theme.${value}`) }))}
            />
          </Field>
          <Field label={t('profile.preferences.language')}>
            <Select<Locale>
              value={chosen.language}
              onChange={(language) => change({ language })}
              options={interfaceLanguages.map((value) => ({ value, label: languageNames[value] }))}
            />
          </Field>
        </div>
      </Panel>
      <Panel title={t('profile.preferences.notifications')}>
        <div className="flex flex-col gap-3">
          {offeredChannels.map((channel) => (
            <Switch
              key={channel}
              label={t(`profile.preferences.notifications.${channel}`)}
              checked={chosen.notifications[channel]}
              onChange={(event) =>
                change({ notifications: { ...chosen.notifications, [channel]: event.target.checked } })
              }
            />
          ))}
          <Link
            to={paths.profile}
            search={{ tab: 'notifications' }}
            className="self-start rounded-md text-sm text-primary-text underline-offset-2 hover:underline"
          >
            {t('profile.preferences.notifications.each')}
          </Link>
          {can('messages:read') && can('contacts:read') ? <AlertSettings /> : null}
        </div>
      </Panel>
      <Panel title={t('profile.preferences.dashboard')} className="lg:col-span-2">
        <div className="grid gap-5 lg:grid-cols-2">
          <FieldGroup legend={t('profile.preferences.layout')}>
            <div className="flex gap-6">
              {dashboardLayouts.map((layout) => (
                <Radio
                  key={layout}
                  name="layout"
                  value={layout}
                  label={t(`profile.preferences.layout.${layout}`)}
                  checked={chosen.dashboard.layout === layout}
                  onChange={() => change({ dashboard: { ...chosen.dashboard, layout } })}
                />
              ))}
            </div>
          </FieldGroup>
          <WidgetOrder
            shown={chosen.dashboard.widgets}
            onChange={(widgets) => change({ dashboard: { ...chosen.dashboard, widgets } })}
          />
        </div>
      </Panel>
      <div className="flex justify-end lg:col-span-2">
        <Button type="submit" variant="primary" loading={save.isPending}>
          {t('profile.preferences.save')}
        </Button>
      </div>
    </form>
  );
}

function useSave(onSaved: (saved: Chosen) => void) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: ({ theme, notifications, dashboard: { layout, widgets } }: Chosen) =>
      api.profile.updatePreferences({ theme, notifications, dashboard: { layout, widgets: [...widgets] } }),
    onSuccess: async (preferences, chosen) => {
      onSaved(chosen);
      setTheme(preferences.theme);
      queryClient.setQueryData(profileOptions().queryKey, (before) => before && { ...before, preferences });
      await Promise.all([
        readSessionAnew(),
        queryClient.invalidateQueries({ queryKey: orpc.profile.getNotificationChoices.key() }),
      ]);
      notify.success(t('profile.preferences.updated'));
      // The pages are drawn anew for it, so it comes last.
      if (chosen.language !== activeLocale()) await chooseLanguage(chosen.language);
    },
    onError: (error) => notify.error(errorMessage(error)),
  });
}
