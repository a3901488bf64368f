/** Errors of conversions, see `errorTable`. */
export const conversionErrors = {
  conversion_time_invalid: {
    status: 422,
    message: 'A conversion is reported within 90 days after it happened, and never before.',
  },
  conversion_settings_changed: {
    status: 409,
    message: 'Another user changed these settings in the meantime.',
  },
} as const;
