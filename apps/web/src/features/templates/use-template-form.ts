import { useFormContext } from 'react-hook-form';
import type { TemplateFormValues } from './template-form.ts';

/** The editor's form, for the parts inside it. */
export function useFormOfTemplate() {
  return useFormContext<TemplateFormValues>();
}
