/** Errors of contacts, their imports, merges and removals, see `errorTable`. */
export const contactErrors = {
  contact_not_found: { status: 404, message: 'There is no such contact.' },
  contact_phone_taken: { status: 409, message: 'A contact with this phone number already exists.' },
  contact_erased: { status: 409, message: 'This person was erased and cannot be added again.' },
  contact_phone_invalid: { status: 422, message: 'This is not a valid phone number.' },
  contact_choice_too_large: { status: 422, message: 'Select at most 10,000 contacts at once.' },
  contact_consent_future: { status: 422, message: 'Consent cannot be given in the future.' },
  contact_import_not_undoable: {
    status: 409,
    message: 'This import added nothing or was already undone.',
  },
  contact_import_failed: { status: 422, message: 'The file could not be imported.' },
  contact_import_type_unsupported: { status: 415, message: 'Please select a JSON or CSV file.' },
  contact_import_begun: { status: 409, message: 'An import with this id was already started.' },
  contact_import_busy: {
    status: 503,
    message: 'Other imports are running. Please try again in a minute.',
  },
  contact_imports_waiting: {
    status: 429,
    message: 'Too many imports of this workspace are waiting. Please try again when one of them is done.',
  },
  contact_import_not_found: { status: 404, message: 'There is no such import.' },
  contact_merge_not_found: { status: 404, message: 'There is no such merge.' },
  contact_merge_too_old: { status: 409, message: 'A merge can be undone for 30 days.' },
  contact_merge_survivor_gone: { status: 409, message: 'The merged contact has been deleted.' },
  contact_merge_merged_again: {
    status: 409,
    message: 'The contact has since been merged into another one. Undo that merge first.',
  },
  contact_merge_number_taken: {
    status: 409,
    message: 'Another contact now has the number of one of the merged contacts.',
  },
  contact_removal_not_found: { status: 404, message: 'There is no such deletion.' },
  contact_removal_not_undoable: {
    status: 409,
    message: 'A deletion can be undone for one hour.',
  },
  contact_changed: { status: 409, message: 'Someone else changed this contact in the meantime.' },
} as const;
