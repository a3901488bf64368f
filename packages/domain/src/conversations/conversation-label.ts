/** Colours of labels, by the names of the theme's series; each stands beside its name, never alone. */
export const labelColours = ['grey', 'green', 'blue', 'purple', 'pink', 'red', 'orange', 'yellow'] as const;
export type LabelColour = (typeof labelColours)[number];

/** So many labels a workspace has at most. */
export const MOST_LABELS = 200;

/** The colour of a label that nobody chose one for: they take turns. */
export function colourOf(place: number): LabelColour {
  return labelColours[place % labelColours.length]!; // within the list
}
