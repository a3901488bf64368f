import { SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '../button.tsx';
import { classNames } from '../class-names.ts';
import { useUiWords } from '../ui-words.tsx';
import { useMediaQuery } from '../use-media-query.ts';

/**
 * Search, filters and order of a list. Where there is little room the search keeps the line, and one button that counts
 * the filters in use opens the rest below it.
 */
export function Toolbar({
  search,
  children,
  found,
  sort,
  active = 0,
  end,
}: {
  search: ReactNode;
  /** How many were found, beside the search. */
  found?: ReactNode;
  /** The filters. */
  children: ReactNode;
  /** The order of the list; it stands at the right of the filters. */
  sort?: ReactNode;
  /** How many filters leave something out. */
  active?: number | undefined;
  /** Stays in sight at every width, such as how many there are. */
  end?: ReactNode;
}) {
  const words = useUiWords();
  const isNarrow = useMediaQuery('(max-width: 767px)');
  const [isOpen, setOpen] = useState(false);
  const panel = useId();
  const rest = (
    <>
      {children}
      {sort ? <div className="md:ml-auto">{sort}</div> : null}
    </>
  );
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className={classNames('min-w-0 flex-1', !isNarrow && 'max-w-sm min-w-48')}>{search}</div>
      {isNarrow ? null : found}
      {isNarrow ? (
        <Button
          aria-expanded={isOpen}
          aria-controls={panel}
          icon={<SlidersHorizontal aria-hidden />}
          onClick={() => setOpen(!isOpen)}
        >
          {words.filters}
          {active > 0 ? (
            <span className="grid h-5 min-w-5 place-items-center rounded-full bg-primary px-1.5 text-xs text-on-primary tabular-nums">
              {words.number(active)}
            </span>
          ) : null}
        </Button>
      ) : (
        rest
      )}
      {isNarrow ? found : null}
      {isNarrow ? (
        <div
          id={panel}
          hidden={!isOpen}
          className="grid w-full grid-cols-2 gap-2 rounded-card border border-border bg-raised p-3 *:not-[button]:col-span-2 [&[hidden]]:hidden"
        >
          {rest}
        </div>
      ) : null}
      {end ? (
        <div className={classNames('flex items-center gap-2 max-md:w-full', !sort && 'md:ml-auto')}>
          {end}
        </div>
      ) : null}
    </div>
  );
}
