/** The look of every control that is typed into or chosen from. */
export const controlStyle =
  'w-full min-w-0 rounded-card border border-control bg-raised px-3 text-text transition-colors duration-150 hover:border-muted focus-visible:border-primary focus-visible:outline-offset-0 disabled:cursor-not-allowed disabled:bg-sunken disabled:text-muted aria-invalid:border-danger';
