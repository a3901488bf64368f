import { t } from '../../../shared/messages.ts';
import { describeRules } from './audience-words.ts';
import { useRuleNames, type KnownSegment } from './segment-queries.ts';

/** The rules of chosen segments in words, and at which moment they count. */
export function SegmentDescriptions({
  segments,
  isLive,
}: {
  segments: readonly KnownSegment[];
  /** Sending has not begun: the segments are looked at again then. */
  isLive: boolean;
}) {
  const names = useRuleNames(segments.flatMap(({ rules }) => rules ?? []));
  const known = segments.filter(({ isDeleted }) => !isDeleted);
  if (known.length === 0) return null;
  return (
    <div className="flex flex-col gap-1 text-sm text-muted">
      <ul className="flex flex-col gap-1">
        {known.map(({ id, name, rules }) =>
          rules ? (
            <li key={id} className="wrap-anywhere">
              {t('sending.segments.description', { name, rules: describeRules(rules, names) })}
            </li>
          ) : null,
        )}
      </ul>
      <p>{isLive ? t('sending.segments.live') : t('sending.segments.frozen')}</p>
    </div>
  );
}
