/** Errors of templates, see `errorTable`. */
export const templateErrors = {
  template_not_found: { status: 404, message: 'There is no such template.' },
  template_changed: { status: 409, message: 'Someone else changed this template in the meantime.' },
  template_not_approved: { status: 409, message: 'Only an approved template can be sent.' },
  template_invalid: { status: 422, message: 'A part of the template is missing or not valid.' },
  template_in_use: { status: 409, message: 'A scheduled or running campaign uses this template.' },
  template_language_fixed: {
    status: 409,
    message:
      'The language of a submitted template cannot be changed. Add the other language as a new template.',
  },
  template_status_by_platform: {
    status: 409,
    message: 'The platform decides about the status. Save a draft and submit it for approval.',
  },
  template_refused: { status: 422, message: 'The platform rejected the template.' },
} as const;
