import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { errorMessageOf } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';

/** What a refused change of a custom field says to people. */
export const fieldErrorMessage = errorMessageOf({
  custom_field_not_found: 'contacts.fields.gone',
  custom_field_changed: 'contacts.fields.changed',
  custom_fields_changed: 'contacts.fields.listChanged',
  custom_field_label_taken: 'contacts.fields.labelTaken',
  custom_field_limit: () => t('contacts.fields.full', { most: customFieldLimits.fields }),
  custom_field_options_missing: 'contacts.fields.optionsNeeded',
  custom_field_option_used: ({ option, contacts }) =>
    t('contacts.fields.optionUsed', { option: String(option ?? ''), n: Number(contacts ?? 0) }),
});
