import { Search, X } from 'lucide-react';
import { classNames } from '../class-names.ts';
import { controlStyle } from '../controls/control-style.ts';
import { useUiWords } from '../ui-words.tsx';
import { usePromptValue } from '../controls/use-prompt-value.ts';

export interface SearchInputProps {
  value: string;
  onChange: (value: string) => void;
  label?: string | undefined;
  placeholder?: string | undefined;
  className?: string | undefined;
}

/** A page's search; the `/` key puts the cursor into the first one on the page. */
export function SearchInput({ value, onChange, label, placeholder, className }: SearchInputProps) {
  const words = useUiWords();
  const [text, setText] = usePromptValue(value, onChange);
  return (
    <div className={classNames('relative', className)}>
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        dir="auto"
        data-page-search
        aria-label={label ?? placeholder ?? words.search}
        placeholder={placeholder ?? words.search}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && text !== '') {
            event.stopPropagation();
            setText('');
          }
        }}
        className={classNames(
          controlStyle,
          'h-9 pr-9 pl-9 text-ellipsis [&::-webkit-search-cancel-button]:hidden',
          value === '' && 'max-sm:pr-3',
        )}
      />
      {text === '' ? (
        <kbd className="pointer-events-none absolute top-1/2 right-2.5 hidden h-5 -translate-y-1/2 items-center rounded border border-border px-1.5 font-sans text-xs text-muted sm:inline-flex">
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label={words.clear}
          onClick={() => setText('')}
          className="absolute top-1/2 right-1.5 grid size-6 -translate-y-1/2 place-items-center rounded text-muted hover:bg-hover hover:text-text"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}
