import { ChevronDown } from 'lucide-react';
import type { RefObject } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { useCustomFields } from '../contacts/custom-fields.ts';
import { t } from '../messages.ts';
import { editField, selectionOf } from './edit-field.ts';
import { EmojiButton } from './emoji-button.tsx';
import { markField, markList } from './mark-list.tsx';
import { insertText } from './text-marks.ts';

/**
 * What stands below the text of a message in a form: its marks, emoji, and the variables that somebody may put in, those of custom
 * fields too. Each acts where the caret stands and can be undone by the browser.
 */
export function WritingTools({
  field,
  variables,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  /** By name, with the word that is shown for each. */
  variables: readonly { name: string; label: string }[];
}) {
  const named = new Set(variables.map(({ name }) => name));
  const customFields = (useCustomFields() ?? []).filter(({ key }) => !named.has(key));
  const insert = (text: string) => {
    if (field.current) editField(field.current, insertText(selectionOf(field.current), text));
  };
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div role="group" aria-label={t('writing.format')} className="flex">
        {markList.map(({ mark, icon, keys }) => (
          <IconButton
            key={mark}
            label={t(`writing.mark.${mark}`)}
            size="small"
            aria-keyshortcuts={keys.replace('Ctrl', 'Control')}
            // The selection stays.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => field.current && markField(field.current, mark)}
          >
            {icon}
          </IconButton>
        ))}
        <EmojiButton size="small" onPick={insert} />
      </div>
      <div
        role="group"
        aria-label={t('writing.insertVariable')}
        className="flex min-w-0 flex-wrap items-center gap-1.5"
      >
        {variables.map(({ name, label }) => (
          <button
            key={name}
            type="button"
            onClick={() => insert(`{{${name}}}`)}
            className="min-h-6 max-w-full truncate rounded-full bg-primary-soft px-2.5 text-sm font-medium text-primary-text hover:bg-hover"
          >
            {label}
          </button>
        ))}
        {customFields.length > 0 ? (
          <Menu
            align="start"
            trigger={
              <Button size="small" icon={<ChevronDown aria-hidden />}>
                {t('writing.customField')}
              </Button>
            }
            entries={customFields.map(({ key, label }) => ({
              label,
              hint: `{{${key}}}`,
              onSelect: () => insert(`{{${key}}}`),
            }))}
          />
        ) : null}
      </div>
    </div>
  );
}
