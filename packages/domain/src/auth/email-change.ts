/** For so long the link to a new address works, in hours. */
export const EMAIL_LINK_HOURS = 24;

/** For so long the former address can take a change of it back, in days. */
export const EMAIL_UNDO_DAYS = 7;

/** So many addresses somebody may have written to in an hour: each is a mail to a stranger. */
export const EMAIL_LINKS_AN_HOUR = 5;
