import { useQuery } from '@tanstack/react-query';
import { Image, PanelBottom, SquareMousePointer } from 'lucide-react';
import { lacksHeaderFile } from '@app/domain/templates/template';
import { reviewedText } from '@app/domain/templates/template-rules';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FormProvider, useForm, useWatch, type UseFormReturn } from 'react-hook-form';
import { useKeptForm, useOpenedForm } from '../../shared/actions/kept-form.ts';
import { KeptNotice } from '../../shared/actions/kept-notice.tsx';
import { useBusiness } from '../../shared/business-profile/use-business.ts';
import { t } from '../../shared/messages.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { PhonePreview } from '../../ui/phone/phone-preview.tsx';
import { Banner } from '../../ui/states.tsx';
import { BasicFields } from './basic-fields.tsx';
import { BodyFields } from './body-fields.tsx';
import { ButtonsFields } from './buttons-fields.tsx';
import { FooterFields } from './footer-fields.tsx';
import { HeaderFields } from './header-fields.tsx';
import { SaveRefusal } from './save-refusal.tsx';
import { TemplateChecklist } from './template-checklist.tsx';
import {
  alignSamples,
  draftComponents,
  emptyButton,
  sampleRecord,
  toComponents,
  toFormValues,
  type TemplateFormValues,
} from './template-form.ts';
import { reviewerOptions, type Template } from './templates-queries.ts';
import { useFormOfTemplate } from './use-template-form.ts';
import { useTemplateSave, type TemplateSave } from './use-template-save.ts';

type Mode = 'create' | 'edit' | 'duplicate' | 'translate';

export function TemplateEditor({
  mode,
  template,
  onClose,
}: {
  mode: Mode;
  template?: Template;
  onClose: () => void;
}) {
  const initial = useMemo(() => toFormValues(mode, template), [mode, template]);
  const kept = useOpenedForm(template ? `template:${mode}:${template.id}` : 'template', initial, {
    version: template?.version ?? null,
    packing: { pack: (values) => values, unpack: withoutUpload },
  });
  const form = useForm<TemplateFormValues>({ defaultValues: initial });
  const { isDirty } = form.formState;
  const edited = mode === 'edit' && template ? { ...template, version: kept.version ?? 0 } : undefined;
  const closeSaved = useUnsavedWarning(isDirty, 'dialog', kept.forget);
  useErrorsUntilEdited(form);
  const firstField = useRef<HTMLInputElement>(null);
  const connection = useQuery(reviewerOptions).data ?? 'none';
  const isByPlatform = connection === 'platform';
  const isNewText = useIsNewText(form, edited);
  const needsReview = isByPlatform && isNewText;
  const save = useTemplateSave(form, {
    edited,
    isByPlatform,
    onDone() {
      kept.forget();
      closeSaved(onClose);
    },
  });
  useKeptForm(kept, useWatch({ control: form.control }) as TemplateFormValues, isDirty);
  const [foundAt, setFoundAt] = useState(kept.found?.at);
  useEffect(() => {
    if (kept.found) form.reset(kept.found.values, { keepDefaultValues: true });
  }, [kept, form]);

  function startOver() {
    kept.forget();
    setFoundAt(undefined);
    if (edited) void save.loadTheirs();
    else form.reset(initial);
  }

  return (
    <FormProvider {...form}>
      <FormDialog
        initialFocus={firstField}
        size="wide"
        title={mode === 'edit' ? t('templates.form.editTitle') : t('templates.form.createTitle')}
        className="gap-8 lg:grid-cols-[minmax(0,1fr)_20rem]"
        note={
          <p role="alert" className="mr-auto text-sm text-danger empty:hidden">
            {save.blocked}
          </p>
        }
        submitLabel={mode === 'edit' ? t('templates.form.save') : t('templates.form.createButton')}
        isSaving={save.pending !== null}
        buttons={needsReview ? <PlatformButtons save={save} /> : undefined}
        onSubmit={() => void save.run('save')}
        onClose={onClose}
      >
        <div className="flex min-w-0 flex-col gap-6">
          {foundAt === undefined ? null : <KeptNotice at={foundAt} onStartOver={startOver} />}
          <SaveRefusal save={save} />
          {edited && lacksHeaderFile(edited.components) ? (
            <Banner tone="info">{t('templates.form.headerFileMissing')}</Banner>
          ) : isByPlatform && edited?.status === 'approved' ? (
            <Banner tone="info">{t('templates.form.reviewAgain')}</Banner>
          ) : null}
          <BasicFields
            edited={edited}
            connection={connection}
            onFirstField={(element) => {
              firstField.current = element;
            }}
          />
          <Parts />
          {/* Enter in any field submits only where a form has a submit button. */}
          {needsReview ? <button type="submit" className="hidden" aria-hidden tabIndex={-1} /> : null}
        </div>
        <LivePreview />
      </FormDialog>
    </FormProvider>
  );
}

/** Whether the platform has yet to look at what the form holds. What was handed in once stays so with another file, name or category. */
function useIsNewText(form: UseFormReturn<TemplateFormValues>, edited: Template | undefined): boolean {
  const values = useWatch({ control: form.control }) as TemplateFormValues; // every field has a default
  if (!edited?.platform || edited.status === 'draft' || edited.status === 'rejected') return true;
  const components = toComponents({ ...values, samples: alignSamples(values) }, edited.components);
  return reviewedText(components) !== reviewedText(edited.components);
}

/** A file that was on its way when the page went is not any more. */
function withoutUpload(values: TemplateFormValues): TemplateFormValues {
  return { ...values, header: { ...values.header, isUploading: false } };
}

/** Only the platform says what is approved: a draft is kept, or handed in. */
function PlatformButtons({ save }: { save: TemplateSave }) {
  return (
    <>
      <Button
        loading={save.pending === 'save'}
        disabled={save.pending !== null}
        onClick={() => void save.run('save')}
      >
        {t('templates.form.saveDraft')}
      </Button>
      {can('templates:update') ? (
        <Button
          variant="primary"
          loading={save.pending === 'submit'}
          disabled={save.pending !== null}
          onClick={() => void save.run('submit')}
        >
          {t('templates.submit')}
        </Button>
      ) : null}
    </>
  );
}

/** What is wrong with a field stands there until somebody edits it. */
function useErrorsUntilEdited(form: UseFormReturn<TemplateFormValues>): void {
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      if (name && form.getFieldState(name).error) form.clearErrors(name);
    });
    return unsubscribe;
  }, [form]);
}

/** The parts of the message in their order on the phone, and what can still be added, each once. */
function Parts() {
  const { control, setValue } = useFormOfTemplate();
  const [header, footer, buttons] = useWatch({ control, name: ['header.shown', 'footer.shown', 'buttons'] });
  const add = { shouldDirty: true } as const;
  return (
    <>
      {header ? <HeaderFields /> : null}
      <BodyFields />
      {footer ? <FooterFields /> : null}
      {buttons.length > 0 ? <ButtonsFields /> : null}
      {header && footer && buttons.length > 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {header ? null : (
            <Button
              size="small"
              icon={<Image aria-hidden />}
              onClick={() => setValue('header.shown', true, add)}
            >
              {t('templates.form.addHeader')}
            </Button>
          )}
          {footer ? null : (
            <Button
              size="small"
              icon={<PanelBottom aria-hidden />}
              onClick={() => setValue('footer.shown', true, add)}
            >
              {t('templates.form.addFooter')}
            </Button>
          )}
          {buttons.length > 0 ? null : (
            <Button
              size="small"
              icon={<SquareMousePointer aria-hidden />}
              onClick={() => setValue('buttons', [{ ...emptyButton }], add)}
            >
              {t('templates.form.addButtons')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function LivePreview() {
  const { control } = useFormOfTemplate();
  const business = useBusiness();
  const values = useWatch({ control }) as TemplateFormValues; // every field has a default
  const name = business?.name;
  const message = useMemo(() => {
    const samples = sampleRecord(values);
    return templateToPhone(draftComponents(values), {
      ...samples,
      ...(name !== undefined && { business: samples['business'] || name }),
    });
  }, [values, name]);
  return (
    <aside className="lg:sticky lg:top-0 lg:self-start">
      <h3 className="mb-2 font-medium">{t('templates.form.livePreview')}</h3>
      <PhonePreview
        label={t('templates.form.livePreview')}
        name={business?.name ?? t('templates.previewName')}
        image={business?.image}
        message={message}
        emptyText={t('templates.previewEmpty')}
      />
      <TemplateChecklist values={values} />
    </aside>
  );
}
