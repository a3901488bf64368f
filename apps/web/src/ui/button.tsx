import { cva } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-ghost';
export type ButtonSize = 'small' | 'medium' | 'large';

export const buttonStyle = cva(
  'relative inline-flex shrink-0 items-center justify-center gap-2 rounded-card font-medium whitespace-nowrap select-none transition-colors duration-150 disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary:
          'bg-primary text-on-primary enabled:not-aria-disabled:hover:bg-primary-hover [a&]:hover:bg-primary-hover',
        secondary:
          'border border-border bg-raised text-text enabled:not-aria-disabled:hover:bg-hover [a&]:hover:bg-hover',
        ghost: 'text-text enabled:not-aria-disabled:hover:bg-hover [a&]:hover:bg-hover',
        danger: 'bg-danger text-on-danger enabled:not-aria-disabled:hover:bg-danger-hover',
        'danger-ghost': 'text-danger enabled:not-aria-disabled:hover:bg-danger-soft',
      },
      size: { small: 'h-7 px-2.5 text-sm', medium: 'h-9 px-3.5', large: 'h-11 px-5 text-lg' },
      shape: { text: '', icon: 'aspect-square px-0' },
    },
    defaultVariants: { variant: 'secondary', size: 'medium', shape: 'text' },
  },
);

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  /** Shows a spinner beside the label and keeps the button from a second press. */
  loading?: boolean | undefined;
  icon?: ReactNode;
  /** Leaves only the icon in sight on small screens. */
  iconOnSmall?: boolean | undefined;
  /** The same between those and a desk, for a bar that would break into two lines there. */
  iconOnMedium?: boolean | undefined;
}

export function Button({
  variant,
  size,
  loading,
  icon,
  iconOnSmall = false,
  iconOnMedium = false,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...(loading && still)}
      // One that is truly disabled would lose the focus, and with it the place of whoever pressed it by the keyboard.
      aria-disabled={loading || undefined}
      aria-busy={loading || undefined}
      data-variant={variant}
      className={classNames(
        buttonStyle({ variant, size }),
        iconOnSmall && 'max-sm:aspect-square max-sm:px-0',
        iconOnMedium && 'md:max-[82rem]:aspect-square md:max-[82rem]:px-0',
        className,
      )}
    >
      {loading ? <LoaderCircle aria-hidden className="animate-spin" /> : icon}
      {iconOnSmall || iconOnMedium ? (
        <span
          className={classNames(iconOnSmall && 'max-sm:sr-only', iconOnMedium && 'md:max-[82rem]:sr-only')}
        >
          {children}
        </span>
      ) : (
        children
      )}
    </button>
  );
}

/** Menus open at the press already. */
const still: ComponentProps<'button'> = {
  onClick: (event) => event.preventDefault(),
  onPointerDown: undefined,
  onMouseDown: undefined,
  onKeyDown: undefined,
};

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** What the button does; read aloud and shown as its tooltip. */
  label: string;
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
}

export function IconButton({ label, variant = 'ghost', size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={classNames(buttonStyle({ variant, size, shape: 'icon' }), className)}
    />
  );
}

export interface LinkButtonProps extends ComponentProps<'a'> {
  variant?: ButtonVariant | undefined;
  size?: ButtonSize | undefined;
  icon?: ReactNode;
}

/** A plain anchor that looks like a button; in pages use the routed one of `shared/links.tsx`. */
export function LinkButton({ variant, size, icon, className, children, ...rest }: LinkButtonProps) {
  return (
    <a {...rest} className={classNames(buttonStyle({ variant, size }), className)}>
      {icon}
      {children}
    </a>
  );
}
