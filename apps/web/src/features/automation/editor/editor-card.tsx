import { ChevronDown, TriangleAlert } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { t } from '../../../shared/messages.ts';
import { Badge } from '../../../ui/badge.tsx';
import { problemText } from '../flow-words.ts';
import type { FlowProblems } from './editor-parts.ts';
import { ProblemList } from './problem-list.tsx';

/** How the focus finds a card. */
export const cardElementId = (id: string) => `flow-card-${id.replace(' ', '-')}`;

/** Whether a menu that closes may give the focus back: what it added has taken it otherwise. */
export function hasNoOtherFocus(): boolean {
  const focused = document.activeElement;
  return (
    focused === null ||
    focused === document.body ||
    focused.closest('[role="menu"], [role="dialog"]') !== null
  );
}

/** One trigger or step: closed it says in a line what it does, open it shows its fields. */
export function EditorCard({
  id,
  icon,
  name,
  summary,
  badge,
  problems,
  isOpen,
  onOpenChange,
  children,
}: {
  id: string;
  icon: ReactNode;
  name: string;
  summary: string;
  badge?: ReactNode;
  problems: FlowProblems;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const panel = useId();
  const others = problems.filter(({ field }) => field === null);
  return (
    <div
      className="rounded-card border border-border bg-raised"
      data-problem={problems.length > 0 || undefined}
    >
      <h3>
        <button
          type="button"
          id={cardElementId(id)}
          aria-expanded={isOpen}
          aria-controls={panel}
          onClick={() => onOpenChange(!isOpen)}
          className="flex w-full items-center gap-3 rounded-card px-3 py-2.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
        >
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text [&_svg]:size-4"
          >
            {icon}
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
              {name}
              {badge}
              {problems.length > 0 ? (
                <Badge tone="danger" icon={<TriangleAlert aria-hidden />}>
                  {t('automation.needsAttention')}
                </Badge>
              ) : null}
            </span>
            {summary === '' ? null : (
              <span dir="auto" className="block truncate text-sm text-muted">
                {summary}
              </span>
            )}
          </span>
          <ChevronDown
            aria-hidden
            className={`size-4 shrink-0 text-muted transition-transform ${isOpen ? 'rotate-180' : ''}`}
          />
        </button>
      </h3>
      <div id={panel} hidden={!isOpen} className="border-t border-border px-3 py-4 sm:px-4">
        {isOpen ? (
          <div className="grid gap-4">
            <ProblemList problems={others} className="text-sm text-danger" />
            {children}
          </div>
        ) : null}
      </div>
    </div>
  );
}

/** What is wrong with one field, in words. */
export function fieldProblems(problems: FlowProblems): (field: string) => string | undefined {
  return (field) => {
    const found = problems.find((one) => one.field === field);
    return found && problemText(found);
  };
}
