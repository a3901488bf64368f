import { interfaceLanguages } from '@app/domain/text/interface-language';
import { Globe, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { chooseTheme } from '../account/choose-theme.ts';
import { languageNames } from '../../shared/languages/language-names.ts';
import { activeLocale, t } from '../../shared/messages.ts';
import { can, signOut } from '../../shared/session.ts';
import { notify } from '../../ui/toast.ts';
import { actions } from '../actions.tsx';
import { navigation } from '../features.tsx';
import { chooseLanguage } from '../../shared/languages/choose-language.ts';

/** One line of the palette: it leads somewhere, or it does something. */
export type PaletteEntry = {
  id: string;
  label: string;
  icon: ReactNode;
  /** Tells apart what has the same name. */
  detail?: string | undefined;
  /** It stands under what it is done with. */
  isVerb?: boolean;
} & ({ to: string; search?: Record<string, string> } | { act: () => unknown });

export function offeredPages(): PaletteEntry[] {
  return navigation
    .filter(({ access }) => access.every(can))
    .map(({ path, label, icon }) => ({ id: path, label: t(label), icon, to: path }));
}

/** What the signed-in role may do. */
export function offeredActions({ onShortcuts }: { onShortcuts: () => void }): PaletteEntry[] {
  return [
    ...actions
      .filter(({ access }) => access.every(can))
      .map(({ label, icon, path, search }) => ({
        id: label,
        label: t(label),
        icon,
        to: path,
        ...(search && { search }),
      })),
    {
      id: 'light',
      label: t('palette.themeLight'),
      icon: <Sun />,
      act: () => chooseTheme('light'),
    },
    {
      id: 'dark',
      label: t('palette.themeDark'),
      icon: <Moon />,
      act: () => chooseTheme('dark'),
    },
    {
      id: 'system',
      label: t('palette.themeSystem'),
      icon: <Monitor />,
      act: () => chooseTheme('system'),
    },
    ...interfaceLanguages
      .filter((language) => language !== activeLocale())
      .map((language) => ({
        id: `language-${language}`,
        label: t('palette.useLanguage', { name: languageNames[language] }),
        icon: <Globe />,
        act: () => chooseLanguage(language),
      })),
    { id: 'shortcuts', label: t('palette.shortcuts'), icon: <Keyboard />, act: onShortcuts },
    { id: 'sign-out', label: t('common.signOut'), icon: <LogOut />, act: leave },
  ];
}

async function leave(): Promise<void> {
  try {
    await signOut();
  } catch {
    notify.error(t('common.signOutFailed'));
  }
}
