/** Links that show a report to people without a sign-in. `days`: how long one can be open, at most; the form offers these. */
export const reportLinkLimits = { name: 60, links: 50, days: [7, 30, 90, 365] } as const;
