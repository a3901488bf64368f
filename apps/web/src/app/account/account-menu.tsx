import { useNavigate } from '@tanstack/react-router';
import { CircleUser, Keyboard, Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { chooseTheme } from './choose-theme.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { useThemeChoice } from '../../shared/theme.ts';
import { Menu } from '../../ui/overlays/menu.tsx';

const themes = [
  ['light', 'palette.themeLight', <Sun key="i" />],
  ['dark', 'palette.themeDark', <Moon key="i" />],
  ['system', 'palette.themeSystem', <Monitor key="i" />],
] as const;

/** What is one's own: the profile, how the app looks here, and its keys. */
export function AccountMenu({
  trigger,
  isOpen,
  onPlaced,
  onOpenChange,
  onLeave,
  onShortcuts,
}: {
  /** Stays where it is while the menu comes and goes, so that the focus comes back to it. */
  trigger: ReactElement;
  isOpen: boolean;
  /** The button stands where the menu has it. */
  onPlaced: () => void;
  onOpenChange: (isOpen: boolean) => void;
  /** The page is left: an open drawer closes. */
  onLeave: () => void;
  onShortcuts: () => void;
}) {
  const navigate = useNavigate();
  const theme = useThemeChoice();
  // It opens once its button is there: only that one can have the focus back.
  const [isPlaced, setPlaced] = useState(false);
  useEffect(() => {
    onPlaced();
    setPlaced(true);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is drawn
  }, []);
  return (
    <Menu
      trigger={trigger}
      open={isOpen && isPlaced}
      onOpenChange={onOpenChange}
      align="start"
      entries={[
        {
          label: t('common.nav.profile'),
          icon: <CircleUser />,
          onSelect: () => {
            onLeave();
            void navigate({ to: paths.profile });
          },
        },
        'separator',
        ...themes.map(([choice, label, icon]) => ({
          ...{ label: t(label), icon, checked: theme === choice },
          onSelect: () => void chooseTheme(choice),
        })),
        'separator',
        { label: t('palette.shortcuts'), icon: <Keyboard />, shortcut: '?', onSelect: onShortcuts },
      ]}
    />
  );
}
