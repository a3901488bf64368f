/** Errors of custom fields, see `errorTable`. */
export const customFieldErrors = {
  custom_field_not_found: { status: 404, message: 'There is no such custom field.' },
  custom_field_unknown: { status: 422, message: 'No custom field has this name.' },
  custom_field_invalid: { status: 422, message: 'This value is not valid for its custom field.' },
  custom_field_label_taken: { status: 409, message: 'A custom field with this name already exists.' },
  custom_field_limit: { status: 409, message: 'The limit of custom fields is reached.' },
  custom_field_options_missing: {
    status: 422,
    message: 'A choice field needs options. Other types have none.',
  },
  custom_field_option_used: { status: 409, message: 'An option that you removed is used by contacts.' },
  custom_field_changed: { status: 409, message: 'Someone else changed this custom field in the meantime.' },
  custom_fields_changed: { status: 409, message: 'Someone else added or deleted a custom field.' },
  custom_field_in_use: { status: 409, message: 'A segment or an unfinished campaign uses this field.' },
} as const;
