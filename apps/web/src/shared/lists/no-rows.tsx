import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';

/** In place of the rows: why there are none, and the way on. */
export function NoRows({
  list,
  title,
  noMatch,
  clearLabel,
  text,
  icon,
  action,
}: {
  list: { isFiltered: boolean; clear: () => void };
  title: string;
  /** What to say, and what to press, when search and filters leave out everything. */
  noMatch: string;
  clearLabel: string;
  /** What to say and do before there is anything. */
  text: string;
  icon: ReactNode;
  action?: ReactNode;
}) {
  return list.isFiltered ? (
    <EmptyState
      icon={icon}
      title={title}
      text={noMatch}
      action={<Button onClick={list.clear}>{clearLabel}</Button>}
    />
  ) : (
    <EmptyState icon={icon} title={title} text={text} action={action} />
  );
}
