import { formatPhone } from '@app/domain/contacts/format-phone';
import { ChevronLeft, ChevronRight, TriangleAlert } from 'lucide-react';
import { IconButton } from '../../../ui/button.tsx';
import { errorMessage } from '../../../shared/error-message.ts';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { isSelectionEmpty } from '../audience/audience-selection.ts';
import { isMessageEmpty } from './message-draft.ts';
import { MessagePhone } from './message-phone.tsx';
import { useRecipients, type Previewed, type PreviewedRecipient } from './recipient-queries.ts';

/** The message as one of the chosen people will read it, and the next, and the one before; with sample values while there is nobody. */
export function RecipientPreview(chosen: Previewed) {
  const { query, isAsked, person, at, total, goBack, goOn } = useRecipients(chosen);
  const position = t('sending.preview.position', { at: formatNumber(at + 1), total: formatNumber(total) });
  const note = isMessageEmpty(chosen.message)
    ? null
    : isSelectionEmpty(chosen.selection)
      ? t('sending.preview.samples')
      : query.isError && !person
        ? `${t('sending.preview.failed')} ${errorMessage(query.error)}`
        : isAsked && query.isSuccess && !person
          ? t('sending.preview.nobody')
          : null;
  return (
    <div className="flex flex-col gap-2" aria-busy={(isAsked && query.isFetching) || undefined}>
      {person ? (
        <div className="mx-auto flex w-full max-w-80 items-center gap-1">
          <p aria-live="polite" className="min-w-0 flex-1">
            <span className="block truncate font-medium">
              {t('sending.preview.as', { name: person.name || formatPhone(person.phone ?? '') })}
            </span>
            <span className="block text-sm text-muted tabular-nums">
              {person.language
                ? t('sending.preview.inLanguage', { position, language: languageName(person.language) })
                : position}
            </span>
          </p>
          <IconButton label={t('sending.preview.back')} disabled={!goBack} onClick={goBack}>
            <ChevronLeft aria-hidden />
          </IconButton>
          <IconButton label={t('sending.preview.next')} disabled={!goOn} onClick={goOn}>
            <ChevronRight aria-hidden />
          </IconButton>
        </div>
      ) : null}
      {note === null ? null : (
        <p role="status" className="mx-auto w-full max-w-80 text-sm text-muted">
          {note}
        </p>
      )}
      <MessagePhone message={chosen.message} person={person} />
      {person ? <Missing missing={person.missing} /> : null}
    </div>
  );
}

/** What this person gets where nothing is known of them. */
function Missing({ missing }: Pick<PreviewedRecipient, 'missing'>) {
  if (missing.length === 0) return null;
  return (
    <ul className="mx-auto flex w-full max-w-80 flex-col gap-1 text-sm text-warning">
      {missing.map(({ name, instead }) => (
        <li key={name} className="flex items-start gap-2">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 wrap-anywhere">
            {instead === null
              ? t('sending.preview.asWritten', { name: `{{${name}}}` })
              : t('sending.preview.instead', { name: `{{${name}}}`, instead })}
          </span>
        </li>
      ))}
    </ul>
  );
}
