import { X } from 'lucide-react';
import { useState } from 'react';
import { cleanTags } from '@app/domain/contacts/contact';
import { t } from '../messages.ts';
import { isPlainEnter } from '../../ui/controls/plain-enter.ts';
import { SuggestInput } from '../../ui/controls/suggest-input.tsx';

/** Tags as chips. Enter adds what is typed, Backspace in an empty field takes the last one away. */
export function TagInput({
  value,
  onChange,
  suggestions,
  onBlur,
}: {
  value: readonly string[];
  onChange: (tags: string[]) => void;
  suggestions: readonly string[];
  onBlur?: () => void;
}) {
  const [typed, setTyped] = useState('');

  function add(tag: string) {
    onChange(cleanTags([...value, tag]));
    setTyped('');
  }

  return (
    <div className="flex flex-col gap-2">
      {value.length > 0 ? (
        <ul className="flex flex-wrap gap-1.5" aria-label={t('contacts.tagsLabel')}>
          {value.map((tag) => (
            <li
              key={tag}
              className="inline-flex h-7 max-w-full items-center gap-1 rounded-full bg-neutral-soft pr-1 pl-2.5 text-sm"
            >
              <span className="truncate">{tag}</span>
              <button
                type="button"
                aria-label={t('contacts.removeTag', { tag })}
                onClick={() => onChange(value.filter((other) => other !== tag))}
                className="grid size-6 shrink-0 place-items-center rounded-full text-muted hover:bg-hover hover:text-text"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <SuggestInput
        value={typed}
        placeholder={t('contacts.tagPlaceholder')}
        maxLength={60}
        suggestions={suggestions.filter((tag) => !value.includes(tag)).map((tag) => ({ value: tag }))}
        onChange={setTyped}
        onPick={add}
        onBlur={() => {
          // What was typed and not yet added would otherwise be lost at Save.
          if (typed.trim()) add(typed);
          onBlur?.();
        }}
        onKeyDown={(event) => {
          if (isPlainEnter(event)) {
            event.preventDefault();
            add(typed);
          } else if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1));
        }}
      />
    </div>
  );
}
