/**
 * Whether an event begins a run of a trigger. One edit that adds several tags of the trigger is one change of the contact, as in an import, and begins
 * one run: that of the first. `begun`: the edits that begun something; those of this event are added. `edit`: names trigger, contact and edit; null
 * where nothing belongs together.
 */
export function beginsAnew(
  begun: Set<string>,
  { type, edit }: { type: string; edit: string | null },
): boolean {
  if (type !== 'tag_added' || edit === null) return true;
  if (begun.has(edit)) return false;
  begun.add(edit);
  return true;
}
