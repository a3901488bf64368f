/** What the API refuses of RCS messages; a part of the one table of errors. */
export const rcsErrors = {
  rcs_message_not_found: { status: 404, message: 'There is no such RCS message.' },
  rcs_message_taken: { status: 409, message: 'An RCS message with this name already exists.' },
  rcs_message_changed: { status: 409, message: 'Someone else changed this RCS message in the meantime.' },
  rcs_message_limit: { status: 409, message: 'There are as many RCS messages as there can be.' },
  rcs_message_invalid: {
    status: 422,
    message:
      'An active message has to be complete: correct the places that are named, or save it as a draft.',
  },
} as const;
