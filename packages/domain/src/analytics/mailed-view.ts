/** How often a saved view comes as a mail. */
export const viewCadences = ['daily', 'weekly', 'monthly'] as const;
export type ViewCadence = (typeof viewCadences)[number];
