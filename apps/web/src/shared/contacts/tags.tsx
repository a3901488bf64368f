import { t } from '../messages.ts';
import { Badge } from '../../ui/badge.tsx';
import { Tooltip } from '../../ui/overlays/tooltip.tsx';

/** About so many letters of tags stand side by side in a column; a tag itself is as wide as three more. */
const ROOM = 20;
const AROUND = 3;

/**
 * Whole tags, as many as there is room for; the others are told by the tooltip of their number. `isPressed` is for what is pressed as a whole, in
 * which nothing else can be.
 */
export function Tags({ tags, isPressed = false }: { tags: readonly string[]; isPressed?: boolean }) {
  if (tags.length === 0) return <span className="text-muted">—</span>;
  const shown = fitting(tags);
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, shown).map((tag) => (
        <Badge key={tag} className="min-w-0" title={tag}>
          {tag}
        </Badge>
      ))}
      {tags.length > shown && isPressed ? (
        <span title={tags.slice(shown).join(', ')} className="shrink-0 text-sm text-muted">
          {t('common.moreTags', { n: tags.length - shown })}
        </span>
      ) : null}
      {tags.length > shown && !isPressed ? (
        <Tooltip text={tags.slice(shown).join(', ')}>
          <button
            type="button"
            aria-label={t('common.allTags', { tags: tags.join(', ') })}
            className="h-6 min-w-6 shrink-0 cursor-default rounded px-1 text-sm text-muted hover:bg-hover"
          >
            {t('common.moreTags', { n: tags.length - shown })}
          </button>
        </Tooltip>
      ) : null}
    </span>
  );
}

/** How many of them are shown: one at least. */
function fitting(tags: readonly string[]): number {
  let room = ROOM;
  const tooWide = tags.findIndex((tag, index) => {
    room -= tag.length + AROUND;
    return index > 0 && room < 0;
  });
  return tooWide === -1 ? tags.length : tooWide;
}
