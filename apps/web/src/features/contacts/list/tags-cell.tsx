import { t } from '../../../shared/messages.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Tooltip } from '../../../ui/overlays/tooltip.tsx';

/** About so many letters of tags stand side by side in a column; a tag itself is as wide as three more. */
const ROOM = 20;
const AROUND = 3;

/** Whole tags, as many as there is room for; the others are told by the tooltip of their number. */
export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <span className="text-muted">—</span>;
  const shown = fitting(tags);
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, shown).map((tag) => (
        <Badge key={tag} className="min-w-0" title={tag}>
          {tag}
        </Badge>
      ))}
      {tags.length > shown ? (
        <Tooltip text={tags.slice(shown).join(', ')}>
          <button
            type="button"
            aria-label={t('contacts.allTags', { tags: tags.join(', ') })}
            className="h-6 min-w-6 shrink-0 cursor-default rounded px-1 text-sm text-muted hover:bg-hover"
          >
            {t('contacts.moreTags', { n: tags.length - shown })}
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
