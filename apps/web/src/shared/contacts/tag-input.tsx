import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { cleanTags } from '@app/domain/contacts/contact';
import { t } from '../messages.ts';
import { useField } from '../../ui/field.tsx';
import { fieldAttributes, Input } from '../../ui/input.tsx';

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
  const listId = useId();
  const field = useField();

  function add() {
    onChange(cleanTags([...value, typed]));
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
      <Input
        {...fieldAttributes(field)}
        list={listId}
        value={typed}
        placeholder={t('contacts.tagPlaceholder')}
        maxLength={60}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => {
          // What was typed and not yet added would otherwise be lost at Save.
          if (typed.trim()) add();
          onBlur?.();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1));
        }}
      />
      <datalist id={listId}>
        {suggestions
          .filter((tag) => !value.includes(tag))
          .map((tag) => (
            <option key={tag} value={tag}>
              {tag}
            </option>
          ))}
      </datalist>
    </div>
  );
}
