import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { rcsLimits } from '@app/domain/channel-kinds/rcs/rcs-contents';
import { rcsMessageLimits } from '@app/domain/rcs/rcs-message';
import { Plus } from 'lucide-react';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, FieldError } from '../../../ui/field.tsx';
import { Input, NativeSelect, Textarea } from '../../../ui/input.tsx';
import { faultAt } from './fault-words.ts';
import { MediaFields } from './media-fields.tsx';
import {
  newCard,
  newRow,
  type ContentValues,
  type EditedCard,
  type MessageValues,
} from './message-values.ts';
import { OrderedList } from './ordered-list.tsx';
import { SuggestionFields } from './suggestion-fields.tsx';

interface ContentFieldsProps {
  values: ContentValues & Pick<MessageValues, 'type'>;
  faults: readonly ContentFault[];
  onChange: (part: Partial<ContentValues>) => void;
}

/** The fields of one type of message. Limits are checked while somebody types. */
export function ContentFields(props: ContentFieldsProps) {
  const { values, faults, onChange } = props;
  const { type, text, suggestions, cards } = values;
  const hasText = type === 'text' || type === 'list';
  const mostText = type === 'list' ? rcsMessageLimits.listText : rcsLimits.text;
  return (
    <>
      {hasText ? (
        <Field
          label={t('rcs.field.text')}
          required
          hint={t('rcs.variablesHint', { placeholder: '{{name}}' })}
          error={faultAt(faults, 'text')}
          aside={`${formatNumber(text.length)} / ${formatNumber(mostText)}`}
        >
          <Textarea rows={5} value={text} onChange={({ target }) => onChange({ text: target.value })} />
        </Field>
      ) : null}
      {type === 'list' ? <RowFields {...props} /> : null}
      {type === 'standalone_card' ? <LookFields {...props} /> : null}
      {type === 'carousel' ? (
        <Field label={t('rcs.field.width')}>
          <NativeSelect
            value={values.width}
            onChange={({ target }) => onChange({ width: target.value === 'small' ? 'small' : 'medium' })}
          >
            <option value="medium">{t('rcs.width.medium')}</option>
            <option value="small">{t('rcs.width.small')}</option>
          </NativeSelect>
        </Field>
      ) : null}
      {type === 'standalone_card' ? (
        <CardFields
          card={cards[0] ?? newCard()}
          path="card"
          faults={faults}
          hasHeight={values.orientation === 'vertical'}
          onChange={(card) => onChange({ cards: cards.length > 0 ? cards.with(0, card) : [card] })}
        />
      ) : null}
      {type === 'rich_card' || type === 'carousel' ? <ManyCards {...props} /> : null}
      {type === 'list' ? null : (
        <SuggestionFields
          path="suggestions"
          label={t('rcs.field.suggestions')}
          most={rcsLimits.suggestions}
          suggestions={suggestions}
          faults={faults}
          onChange={(next) => onChange({ suggestions: next })}
        />
      )}
    </>
  );
}

function ManyCards({ values: { cards }, faults, onChange }: ContentFieldsProps) {
  const problem = faultAt(faults, 'cards');
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-2 font-medium">
        <span>{t('rcs.field.cards')}</span>
        <span className="text-sm font-normal text-muted tabular-nums">
          {t('rcs.ofMost', { count: formatNumber(cards.length), most: formatNumber(rcsLimits.mostCards) })}
        </span>
      </legend>
      {problem ? <FieldError>{problem}</FieldError> : null}
      <OrderedList
        label={t('rcs.field.cards')}
        items={cards}
        nameOf={(index) => t('rcs.place.cards', { n: index + 1 })}
        wordsOf={({ title, description }) => title || description}
        onChange={(next) => onChange({ cards: next })}
        least={1}
      >
        {(card, index) => (
          <CardFields
            card={card}
            path={`cards.${index}`}
            faults={faults}
            onChange={(next) => onChange({ cards: cards.with(index, next) })}
          />
        )}
      </OrderedList>
      <Button
        size="small"
        className="self-start"
        icon={<Plus aria-hidden />}
        disabled={cards.length >= rcsLimits.mostCards}
        onClick={() =>
          onChange({ cards: [...cards, { ...newCard(), height: cards[0]?.height ?? 'medium' }] })
        }
      >
        {t('rcs.addCard')}
      </Button>
    </fieldset>
  );
}

interface CardFieldsProps {
  card: EditedCard;
  path: string;
  faults: readonly ContentFault[];
  hasHeight?: boolean;
  onChange: (card: EditedCard) => void;
}

function CardFields({ card, path, faults, hasHeight = true, onChange }: CardFieldsProps) {
  const { title, description, suggestions } = card;
  const set = (part: Partial<EditedCard>) => onChange({ ...card, ...part });
  return (
    <div className="flex flex-col gap-3">
      <Field
        label={t('rcs.field.title')}
        error={faultAt(faults, `${path}.title`)}
        aside={`${formatNumber(title.length)} / ${formatNumber(rcsLimits.title)}`}
      >
        <Input value={title} onChange={({ target }) => set({ title: target.value })} />
      </Field>
      <Field
        label={t('rcs.field.description')}
        error={faultAt(faults, `${path}.description`)}
        aside={`${formatNumber(description.length)} / ${formatNumber(rcsLimits.description)}`}
      >
        <Textarea
          rows={3}
          value={description}
          onChange={({ target }) => set({ description: target.value })}
        />
      </Field>
      <MediaFields card={card} path={path} faults={faults} hasHeight={hasHeight} onChange={set} />
      <SuggestionFields
        path={`${path}.suggestions`}
        label={t('rcs.cardSuggestions')}
        most={rcsLimits.cardSuggestions}
        suggestions={suggestions}
        faults={faults}
        onChange={(next) => set({ suggestions: next })}
      />
    </div>
  );
}

function LookFields({ values: { orientation, imageSide }, onChange }: ContentFieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={t('rcs.field.orientation')}>
        <NativeSelect
          value={orientation}
          onChange={({ target }) =>
            onChange({ orientation: target.value === 'horizontal' ? 'horizontal' : 'vertical' })
          }
        >
          <option value="vertical">{t('rcs.orientation.vertical')}</option>
          <option value="horizontal">{t('rcs.orientation.horizontal')}</option>
        </NativeSelect>
      </Field>
      {orientation === 'horizontal' ? (
        <Field label={t('rcs.field.imageSide')}>
          <NativeSelect
            value={imageSide}
            onChange={({ target }) => onChange({ imageSide: target.value === 'right' ? 'right' : 'left' })}
          >
            <option value="left">{t('rcs.imageSide.left')}</option>
            <option value="right">{t('rcs.imageSide.right')}</option>
          </NativeSelect>
        </Field>
      ) : null}
    </div>
  );
}

function RowFields({ values: { rows }, faults, onChange }: ContentFieldsProps) {
  const { mostRows, rowTitle, rowDescription } = rcsMessageLimits;
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-2 font-medium">
        <span>{t('rcs.field.rows')}</span>
        <span className="text-sm font-normal text-muted tabular-nums">
          {t('rcs.ofMost', { count: formatNumber(rows.length), most: formatNumber(mostRows) })}
        </span>
      </legend>
      <p className="text-sm text-muted">{t('rcs.rowsHint')}</p>
      <OrderedList
        label={t('rcs.field.rows')}
        items={rows}
        nameOf={(index) => t('rcs.place.rows', { n: index + 1 })}
        wordsOf={({ title }) => title}
        onChange={(next) => onChange({ rows: next })}
        least={1}
      >
        {(row, index) => (
          <div className="grid gap-3 sm:grid-cols-2">
            {(['title', 'description'] as const).map((name) => (
              <Field
                key={name}
                label={t(`rcs.field.${name}`)}
                required={name === 'title'}
                error={faultAt(faults, `rows.${index}.${name}`)}
                aside={`${formatNumber(row[name].length)} / ${name === 'title' ? rowTitle : rowDescription}`}
              >
                <Input
                  value={row[name]}
                  onChange={({ target }) =>
                    onChange({ rows: rows.with(index, { ...row, [name]: target.value }) })
                  }
                />
              </Field>
            ))}
          </div>
        )}
      </OrderedList>
      <Button
        size="small"
        className="self-start"
        icon={<Plus aria-hidden />}
        disabled={rows.length >= mostRows}
        onClick={() => onChange({ rows: [...rows, newRow()] })}
      >
        {t('rcs.addRow')}
      </Button>
    </fieldset>
  );
}
