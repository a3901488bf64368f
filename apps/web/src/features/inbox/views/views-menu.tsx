import { Bookmark, BookmarkPlus, Pencil, Save, Trash2, User, Users, X } from 'lucide-react';
import { t } from '../../../shared/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx';
import type { Views } from './use-views.ts';
import type { SavedView } from './view-query.ts';

/** One's own views, then those of everybody, and what is done with the one that is shown. */
export function ViewsMenu({
  views,
  isFiltered,
  open,
  onOpenChange,
}: {
  views: Views;
  /** There is something to save. */
  isFiltered: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const { own, shared, current, isChanged } = views;
  const entry = (view: SavedView): MenuEntry => ({
    label: view.name,
    icon: view.isShared ? <Users aria-hidden /> : <User aria-hidden />,
    hint: hintOf(view),
    checked: view.id === current?.id,
    onSelect: () => views.show(view),
  });
  return (
    <Menu
      open={open}
      onOpenChange={onOpenChange}
      trigger={
        <IconButton label={t('inbox.views')} className={current ? 'text-primary-text!' : undefined}>
          <Bookmark aria-hidden />
        </IconButton>
      }
      entries={[
        ...own.map(entry),
        ...(own.length > 0 && shared.length > 0 ? (['separator'] as const) : []),
        ...shared.map(entry),
        ...(own.length + shared.length > 0 ? (['separator'] as const) : []),
        ...(current && isChanged && views.mayEdit(current)
          ? [
              {
                label: t('inbox.view.saveChanges'),
                icon: <Save aria-hidden />,
                onSelect: () => views.saveChanges(current),
              },
            ]
          : []),
        {
          label: t(current ? 'inbox.view.saveNew' : 'inbox.view.save'),
          icon: <BookmarkPlus aria-hidden />,
          disabled: !isFiltered,
          hint: isFiltered ? undefined : t('inbox.view.nothingToSave'),
          onSelect: () => views.setForm('new'),
        },
        ...(current ? ofCurrent(views, current) : []),
      ]}
    />
  );
}

function ofCurrent(views: Views, current: SavedView): MenuEntry[] {
  const changes: MenuEntry[] = [
    {
      label: t('inbox.view.rename'),
      icon: <Pencil aria-hidden />,
      onSelect: () => views.setForm(current),
    },
    {
      label: t('inbox.view.delete'),
      icon: <Trash2 aria-hidden />,
      danger: true,
      onSelect: () => views.askToDelete(current),
    },
  ];
  return [
    { label: t('inbox.view.leave'), icon: <X aria-hidden />, onSelect: views.leave },
    ...(views.mayEdit(current) ? changes : []),
  ];
}

function hintOf({ isShared, gone }: SavedView): string | undefined {
  const [part] = gone;
  if (part) return t('inbox.view.gone', { part });
  return isShared ? t('inbox.view.forEverybody') : undefined;
}
