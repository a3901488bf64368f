import { customFieldLimits } from '@app/domain/custom-fields/custom-field';
import { readFailure } from '../../shared/api.ts';
import { failureText } from '../../shared/failure-text.ts';
import { t } from '../../shared/messages.ts';

/** What a refused change of a custom field says to people. */
export function fieldFailureText(error: unknown): string {
  const { code, values } = readFailure(error);
  switch (code) {
    case 'custom_field_not_found':
      return t('contacts.fields.gone');
    case 'custom_field_changed':
      return t('contacts.fields.changed');
    case 'custom_fields_changed':
      return t('contacts.fields.listChanged');
    case 'custom_field_label_taken':
      return t('contacts.fields.labelTaken');
    case 'custom_field_limit':
      return t('contacts.fields.full', { most: customFieldLimits.fields });
    case 'custom_field_options_missing':
      return t('contacts.fields.optionsNeeded');
    case 'custom_field_option_used':
      return t('contacts.fields.optionUsed', {
        option: String(values['option'] ?? ''),
        n: Number(values['contacts'] ?? 0),
      });
    default:
      return failureText(error);
  }
}
