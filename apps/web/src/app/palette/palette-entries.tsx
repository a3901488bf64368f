import { FileText, Keyboard, LogOut, Megaphone, Monitor, Moon, Send, Sun, UserPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Permission } from '@app/domain/auth/permissions';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { can, signOut } from '../../shared/session.ts';
import { setTheme } from '../../shared/theme.ts';
import { notify } from '../../ui/toast.ts';
import { navigation } from '../navigation.tsx';

/** One line of the palette: it leads somewhere, or it does something. */
export type PaletteEntry = {
  id: string;
  label: string;
  icon: ReactNode;
  /** Tells apart what has the same name. */
  detail?: string | undefined;
} & ({ to: string; search?: Record<string, string> } | { act: () => unknown });

export function offeredPages(): PaletteEntry[] {
  return navigation
    .filter(({ access }) => access.every(can))
    .map(({ path, label, icon }) => ({ id: path, label: t(label), icon, to: path }));
}

/** What the signed-in role may do. */
export function offeredActions({ onShortcuts }: { onShortcuts: () => void }): PaletteEntry[] {
  const forms: (PaletteEntry & { needs: readonly Permission[] })[] = [
    {
      id: 'new-contact',
      label: t('palette.newContact'),
      icon: <UserPlus />,
      to: paths.contacts,
      search: { dialog: 'new' },
      needs: ['contacts:create'],
    },
    {
      id: 'new-template',
      label: t('palette.newTemplate'),
      icon: <FileText />,
      to: paths.templates,
      search: { dialog: 'new' },
      needs: ['templates:create'],
    },
    {
      id: 'new-campaign',
      label: t('palette.newCampaign'),
      icon: <Megaphone />,
      to: paths.campaigns,
      search: { form: 'new' },
      needs: ['campaigns:create'],
    },
    {
      id: 'bulk-message',
      label: t('palette.bulkMessage'),
      icon: <Send />,
      to: paths.bulkMessage,
      needs: ['messages:create', 'campaigns:create'],
    },
  ];
  return [
    ...forms.filter(({ needs }) => needs.every(can)),
    {
      id: 'light',
      label: t('palette.themeLight'),
      icon: <Sun />,
      act: () => setTheme('light'),
    },
    {
      id: 'dark',
      label: t('palette.themeDark'),
      icon: <Moon />,
      act: () => setTheme('dark'),
    },
    {
      id: 'system',
      label: t('palette.themeSystem'),
      icon: <Monitor />,
      act: () => setTheme('system'),
    },
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
