import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { sampleValues, templateVariables } from '@app/domain/templates/template-rendering';
import { useBusiness } from '../../shared/business-profile/use-business.ts';
import { t } from '../../shared/messages.ts';
import { templateToPhone } from '../sending/message/template-preview.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { PhonePreview } from '../../ui/phone/phone-preview.tsx';
import { TemplateStatusBadges } from './template-status.tsx';
import { type Template } from './templates-queries.ts';
import { categoryLabel, languageLabel, rejectionText } from './template-words.ts';

export function TemplatePreviewDialog({
  template,
  onClose,
  onEdit,
}: {
  template: Template;
  onClose: () => void;
  onEdit: (() => void) | undefined;
}) {
  const business = useBusiness();
  const variables = templateVariables(template.components);
  const [values, setValues] = useState<Record<string, string>>(() => ({
    ...(business && { business: business.name }),
    ...sampleValues(template.components),
  }));
  const { name, category, language, content, rejection } = template;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={name}
      size={variables.length > 0 ? 'large' : 'small'}
      footer={
        <>
          <CopyButton text={content} label={t('templates.copyButton')} />
          {onEdit ? (
            <Button variant="primary" icon={<Pencil aria-hidden />} onClick={onEdit}>
              {t('templates.editButton')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="mb-4 flex flex-wrap gap-1.5">
        <TemplateStatusBadges template={template} />
        <Badge>{categoryLabel(category)}</Badge>
        <Badge>{languageLabel(language)}</Badge>
      </div>
      {rejection === null ? null : (
        <p className="mb-4 whitespace-pre-line text-danger">{rejectionText(rejection)}</p>
      )}
      <div className="grid gap-6 sm:grid-cols-2 sm:only:grid-cols-1">
        {variables.length > 0 ? (
          <FieldGroup legend={t('templates.previewValues')}>
            {variables.map((variable) => (
              <Field key={variable} label={`{{${variable}}}`}>
                <Input
                  value={Object.hasOwn(values, variable) ? values[variable] : ''}
                  onChange={(event) => setValues({ ...values, [variable]: event.target.value })}
                />
              </Field>
            ))}
          </FieldGroup>
        ) : null}
        <div className={variables.length > 0 ? '' : 'sm:col-span-2'}>
          <PhonePreview
            label={t('templates.previewOf', { name })}
            name={business?.name ?? t('templates.previewName')}
            image={business?.image}
            message={templateToPhone(template.components, values)}
            emptyText={t('templates.previewEmpty')}
          />
        </div>
      </div>
    </Dialog>
  );
}
