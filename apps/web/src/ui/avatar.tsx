import { createContext, use, useState } from 'react';
import { classNames } from './class-names.ts';
import { useUiWords } from './ui-words.tsx';

/** How the browser asks for a picture that the server named; the app knows, the building blocks ask. */
export const PictureAddressContext = createContext((address: string) => address);

export interface Person {
  id: string;
  name: string;
  image?: string | null | undefined;
}

const sizes = { small: 'size-6 text-[10px]', medium: 'size-8 text-xs', large: 'size-14 text-lg' };

/** A person's picture, or initials when there is none or it cannot be loaded. Decorative beside the name. */
export function Avatar({
  name,
  image,
  size = 'medium',
  className,
}: {
  name: string;
  image?: string | null | undefined;
  size?: keyof typeof sizes | undefined;
  className?: string | undefined;
}) {
  const [broken, setBroken] = useState<string>();
  const addressOf = use(PictureAddressContext);
  return (
    <span
      aria-hidden
      className={classNames(
        'inline-grid shrink-0 place-items-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-text select-none',
        sizes[size],
        className,
      )}
    >
      {image && image !== broken ? (
        <img
          src={addressOf(image)}
          alt=""
          className="size-full object-cover"
          onError={() => setBroken(image)}
        />
      ) : (
        initialsOf(name)
      )}
    </span>
  );
}

/** Up to `max` pictures that overlap, then how many more there are. */
export function AvatarGroup({
  people,
  max = 5,
  label,
}: {
  people: readonly Person[];
  max?: number;
  label: string;
}) {
  const words = useUiWords();
  const rest = people.length - max;
  return (
    <span role="img" aria-label={label} className="inline-flex items-center">
      {people.slice(0, max).map((person, index) => (
        <span key={person.id} title={person.name} className={index > 0 ? '-ml-1' : ''}>
          <Avatar name={person.name} image={person.image} size="small" className="ring-1 ring-raised" />
        </span>
      ))}
      {rest > 0 ? (
        <span
          title={words.more(rest)}
          className="-ml-1 grid h-6 min-w-6 place-items-center rounded-full bg-neutral-soft px-1 text-[10px] font-semibold ring-1 ring-raised"
        >
          +{words.number(rest)}
        </span>
      ) : null}
    </span>
  );
}

export function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/).filter(Boolean);
  const first = parts[0] ?? '';
  const last = parts.length > 1 ? (parts.at(-1) ?? '') : '';
  return (firstSign(first) + firstSign(last)).toUpperCase() || '?';
}

/** A Latin letter that no sign behind it changes: most names begin with one, and a long list has many names. */
const PLAIN_LETTER = /^[A-Za-z\u00C0-\u024F](?=[A-Za-z\u00C0-\u024F]|$)/;
const signs = new Intl.Segmenter();

/** What a reader takes for one sign: a cook is one, though made of three characters. */
function firstSign(word: string): string {
  if (PLAIN_LETTER.test(word)) return word.charAt(0);
  const [first] = signs.segment(word);
  return first?.segment ?? '';
}
