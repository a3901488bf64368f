import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { findTemplateFaults, mostButtonsOf, type TemplateFault } from '@app/domain/templates/template-rules';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { useAction } from '../../shared/actions/use-action.ts';
import { notify } from '../../ui/toast.ts';
import {
  alignSamples,
  checkForm,
  fieldOfFault,
  toComponents,
  toFormValues,
  type TemplateFormValues,
} from './template-form.ts';
import { adviceText, faultText, templateErrorMessage } from './template-words.ts';
import { refreshTemplates, reviewerOf, templateOptions, type Template } from './templates-queries.ts';

/** What is stored of it, and the version that the next save follows. */
type Known = Pick<Template, 'id' | 'version' | 'components'> | null;
type Intent = 'save' | 'submit';
export type TemplateSave = ReturnType<typeof useTemplateSave>;

/** Saves, and keeps everything that was typed when the server says no. */
export function useTemplateSave(
  form: UseFormReturn<TemplateFormValues>,
  {
    edited,
    isByPlatform,
    onDone,
  }: { edited: Template | undefined; isByPlatform: boolean; onDone: () => void },
) {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState<Intent | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [blocked, setBlocked] = useState<string | null>(null);
  const [conflict, setConflict] = useState<'changed' | 'deleted' | null>(null);
  // A second press of the button, and a second try after a refused submission, meet the same template.
  const saved = useRef<Known>(edited ? { ...edited } : null);
  const isBusy = useRef(false);
  const lastIntent = useRef<Intent>('save');
  const write = useAction({
    mutationFn: ({ values, known }: { values: TemplateFormValues; known: Known }) =>
      writeTemplate(values, known),
  });

  useEffect(() => {
    const { unsubscribe } = form.watch(() => setBlocked(null));
    return unsubscribe;
  }, [form]);

  async function run(intent: Intent): Promise<void> {
    if (isBusy.current) return;
    lastIntent.current = intent;
    const values = form.getValues();
    form.clearErrors();
    setFailure(null);
    setBlocked(null);
    const stored = saved.current?.components ?? [];
    const faults = findTemplateFaults(
      { name: values.name, components: toComponents(values, stored) },
      mostButtonsOf(stored),
    );
    faults.forEach((fault, index) => showFault(fault, values, index === 0));
    if (values.header.shown && values.header.isUploading)
      setFieldError('header.media', t('templates.error.stillUploading'), faults.length === 0);
    if (faults.length > 0 || values.header.isUploading) return;
    // What the platform would refuse is not sent there, by hand or by calling it approved.
    const isForReview = intent === 'submit' || (!isByPlatform && values.status === 'approved');
    const blocking = isForReview && checkForm(values).find(({ result }) => result === 'error');
    if (blocking) {
      const words = intent === 'submit' ? 'templates.checks.blocked' : 'templates.checks.blockedApproved';
      setBlocked(t(words, { advice: adviceText(blocking) }));
      return;
    }
    isBusy.current = true;
    setPending(intent);
    try {
      const result = await write.mutateAsync({ values, known: saved.current });
      saved.current = result;
      if (intent === 'submit') await api.templates.submit({ templateId: result.id, version: result.version });
      notify.success(
        t(intent === 'submit' ? 'templates.submitted' : edited ? 'templates.updated' : 'templates.created'),
      );
      onDone();
    } catch (error) {
      showRefusal(error, values);
    } finally {
      isBusy.current = false;
      setPending(null);
      void refreshTemplates(queryClient);
    }
  }

  function setFieldError(field: string, message: string, shouldFocus: boolean): void {
    // The rules name the fields of this form.
    form.setError(field as FieldPath<TemplateFormValues>, { message }, { shouldFocus });
  }

  function showFault(fault: TemplateFault, values: TemplateFormValues, isFirst: boolean): void {
    setFieldError(fieldOfFault(fault.field, values), faultText(fault), isFirst);
  }

  /** At the field when the server names one; otherwise above the form. */
  function showRefusal(error: unknown, values: TemplateFormValues): void {
    const { code, field } = readFailure(error);
    if (code === 'template_changed') return setConflict('changed');
    if (code === 'template_not_found' && saved.current) return setConflict('deleted');
    if (field !== null && code === 'media_not_found')
      setFieldError(fieldOfFault(field, values), templateErrorMessage(error), true);
    else setFailure(templateErrorMessage(error));
  }

  return {
    run,
    pending,
    failure,
    /** An open point of the checklist, which has to be said where the button is. */
    blocked,
    conflict,
    async loadTheirs() {
      if (!saved.current) return;
      const theirs = await queryClient.fetchQuery({ ...templateOptions(saved.current.id), staleTime: 0 });
      saved.current = theirs;
      form.reset(toFormValues('edit', theirs));
      setConflict(null);
    },
    /** What was typed is saved as a template of its own. */
    async saveAnew() {
      saved.current = null;
      setConflict(null);
      await run('save');
    },
    async overwrite() {
      if (!saved.current) return;
      saved.current = await queryClient.fetchQuery({ ...templateOptions(saved.current.id), staleTime: 0 });
      setConflict(null);
      await run(lastIntent.current);
    },
  };
}

async function writeTemplate(values: TemplateFormValues, known: Known): Promise<Template> {
  const connection = reviewerOf(await api.channels.list({}));
  const { name, category, language } = values;
  const fields = {
    ...{ name: name.trim(), category, language },
    components: toComponents({ ...values, samples: alignSamples(values) }, known?.components),
    // On the real platform only the platform changes a status.
    ...(connection !== 'platform' && { status: values.status }),
  };
  return known
    ? api.templates.update({ templateId: known.id, version: known.version, ...fields })
    : api.templates.create(fields);
}
