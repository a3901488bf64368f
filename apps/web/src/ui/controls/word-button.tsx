import type { ComponentProps, ReactNode } from 'react';
import { Button, type ButtonVariant } from '../button.tsx';
import { classNames } from '../class-names.ts';

/** From which width of the bar around it (`@container`) the word is in sight. */
const rooms = {
  medium: { box: '@max-[43.5rem]:aspect-square @max-[43.5rem]:px-0', word: '@max-[43.5rem]:hidden' },
  large: { box: '@max-5xl:aspect-square @max-5xl:px-0', word: '@max-5xl:hidden' },
};

export interface WordButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'title'> {
  icon: ReactNode;
  /** What the button does: its name and its tooltip. It holds the word, so that people who speak to their computer can say what they see. */
  label: string;
  /** One or two words beside the icon. */
  word: string;
  /** How much room the bar needs before the word is shown; below it the icon stands alone. */
  from: keyof typeof rooms;
  variant?: ButtonVariant | undefined;
}

/** An icon in a bar that has its word beside it where there is room. */
export function WordButton({ label, word, from, variant = 'ghost', className, ...rest }: WordButtonProps) {
  const room = rooms[from];
  return (
    <Button
      {...rest}
      variant={variant}
      aria-label={label}
      title={label}
      className={classNames('@[43.5rem]:px-2.5', room.box, className)}
    >
      <span className={classNames('text-sm', room.word)}>{word}</span>
    </Button>
  );
}
