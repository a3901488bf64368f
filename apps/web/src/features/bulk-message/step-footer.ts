/** The buttons of a step stay in sight at the left, where no notification covers them. */
export const stepFooter =
  'sticky bottom-0 z-10 -mx-4 flex items-center gap-3 border-t border-border bg-surface px-4 py-3 sm:mx-0 sm:px-0';
