import type { LabelColour } from '@app/domain/conversations/conversation-label';
import { useQuery } from '@tanstack/react-query';
import { classNames } from '../../ui/class-names.ts';
import { labelsOptions } from './label-queries.ts';

const dots: Record<LabelColour, string> = {
  grey: 'bg-chart-5',
  green: 'bg-chart-1',
  blue: 'bg-chart-2',
  purple: 'bg-chart-4',
  pink: 'bg-chart-6',
  red: 'bg-danger',
  orange: 'bg-chart-3',
  yellow: 'bg-warning',
};

/** The colour of a label, which never says anything alone. */
export function LabelDot({ colour, className }: { colour: LabelColour; className?: string }) {
  return <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', dots[colour], className)} />;
}

/** A label of a conversation, by its name. */
export function LabelChip({ name, className }: { name: string; className?: string }) {
  const { data } = useQuery(labelsOptions());
  const colour = data?.items.find((label) => label.name === name)?.colour ?? 'grey';
  return (
    <span
      className={classNames(
        'inline-flex h-5 max-w-full items-center gap-1 rounded-full bg-neutral-soft px-2 text-xs text-text',
        className,
      )}
    >
      <LabelDot colour={colour} />
      <span dir="auto" className="truncate">
        {name}
      </span>
    </span>
  );
}
