/** Errors of segments, see `errorTable`. */
export const segmentErrors = {
  segment_not_found: { status: 404, message: 'There is no such segment.' },
  segment_name_taken: { status: 409, message: 'A segment with this name already exists.' },
  segment_in_use: { status: 409, message: 'A scheduled campaign uses this segment.' },
  segment_changed: { status: 409, message: 'Someone else changed this segment in the meantime.' },
} as const;
