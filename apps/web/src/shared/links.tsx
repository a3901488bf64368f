import { createLink } from '@tanstack/react-router';
import { LinkButton } from '../ui/button.tsx';
import type { LinkButtonProps } from '../ui/button.tsx';

/** A link of the app that looks like a button: `<ButtonLink to={paths.contacts} variant="primary">`. */
export const ButtonLink = createLink(PlainButtonLink);

// The router marks a link as current when its address begins the page's; a button is never a place in a menu.
function PlainButtonLink(props: LinkButtonProps) {
  return <LinkButton {...props} aria-current={undefined} />;
}
