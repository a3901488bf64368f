import { ChevronDown, ChevronsUp, ChevronUp, Minus } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';
import type { Conversation } from './conversations-queries.ts';

const marks = {
  low: { Icon: ChevronDown, tone: 'text-muted!' },
  normal: { Icon: Minus, tone: 'text-muted!' },
  high: { Icon: ChevronUp, tone: 'text-warning!' },
  urgent: { Icon: ChevronsUp, tone: 'text-danger!' },
} as const;

/** How urgent a conversation is, by form and colour; whoever shows it says it in words as well. */
export function PriorityMark({
  priority,
  className,
}: {
  priority: Conversation['priority'];
  className?: string;
}) {
  const { Icon, tone } = marks[priority];
  return <Icon aria-hidden className={classNames('shrink-0', tone, className)} />;
}
