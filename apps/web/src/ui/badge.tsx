import { cva } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type BadgeTone = 'neutral' | 'success' | 'warning' | 'danger' | 'info' | 'primary';

const badgeStyle = cva(
  'inline-flex h-5.5 max-w-full items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap [&_svg]:size-3',
  {
    variants: {
      tone: {
        neutral: 'bg-neutral-soft text-text',
        success: 'bg-success-soft text-success',
        warning: 'bg-warning-soft text-warning',
        danger: 'bg-danger-soft text-danger',
        info: 'bg-info-soft text-info',
        primary: 'bg-primary-soft text-primary-text',
      },
    },
  },
);

/** A short state or label; `dot` marks states that change by themselves. */
export function Badge({
  tone = 'neutral',
  dot = false,
  icon,
  className,
  title,
  children,
}: {
  tone?: BadgeTone | undefined;
  dot?: boolean | undefined;
  icon?: ReactNode;
  className?: string | undefined;
  /** All of a text that may be cut. */
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={classNames(badgeStyle({ tone }), className)} title={title}>
      {dot ? <span aria-hidden className="size-1.5 shrink-0 rounded-full bg-current" /> : null}
      {icon}
      <span dir="auto" className="truncate">
        {children}
      </span>
    </span>
  );
}

const roleTones: Record<string, BadgeTone> = {
  admin: 'warning',
  manager: 'info',
  agent: 'success',
  viewer: 'neutral',
};

/** Yellow for admin, blue for manager, green for agent, grey for viewer. */
export function RoleBadge({ role, children }: { role: string; children: ReactNode }) {
  return <Badge tone={roleTones[role] ?? 'neutral'}>{children}</Badge>;
}
