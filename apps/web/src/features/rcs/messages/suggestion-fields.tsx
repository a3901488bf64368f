import type { ContentFault } from '@app/domain/channel-kinds/content-type';
import { suggestionLimits } from '@app/domain/channel-kinds/rcs/rcs-suggestions';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../../shared/formats.ts';
import { t } from '../../../shared/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { DateTimeInput, Input, NativeSelect } from '../../../ui/input.tsx';
import { faultAt } from './fault-words.ts';
import {
  fieldsOfSuggestion,
  newSuggestion,
  suggestionKinds,
  type EditedSuggestion,
  type SuggestionField,
} from './message-values.ts';
import { OrderedList } from './ordered-list.tsx';

interface SuggestionFieldsProps {
  /** Where they stand in the content: `cards.0.suggestions`. */
  path: string;
  label: string;
  most: number;
  suggestions: readonly EditedSuggestion[];
  faults: readonly ContentFault[];
  onChange: (suggestions: EditedSuggestion[]) => void;
}

/** What can be tapped below a message or on a card. */
export function SuggestionFields({
  path,
  label,
  most,
  suggestions,
  faults,
  onChange,
}: SuggestionFieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 flex w-full items-baseline justify-between gap-2 font-medium">
        <span>{label}</span>
        <span className="text-sm font-normal text-muted tabular-nums">
          {t('rcs.ofMost', { count: formatNumber(suggestions.length), most: formatNumber(most) })}
        </span>
      </legend>
      <OrderedList
        label={label}
        items={suggestions}
        nameOf={(index) => t('rcs.place.suggestions', { n: index + 1 })}
        wordsOf={({ text }) => text}
        onChange={onChange}
      >
        {(suggestion, index) => (
          <OneSuggestion
            suggestion={suggestion}
            path={`${path}.${index}`}
            faults={faults}
            onChange={(next) => onChange(suggestions.with(index, next))}
          />
        )}
      </OrderedList>
      <Button
        size="small"
        className="self-start"
        icon={<Plus aria-hidden />}
        disabled={suggestions.length >= most}
        onClick={() => onChange([...suggestions, newSuggestion()])}
      >
        {t('rcs.addSuggestion')}
      </Button>
    </fieldset>
  );
}

/** Both figures of a place that was copied from a map, such as `52.5163, 13.3777`. */
function placeOf(name: SuggestionField, text: string): Partial<EditedSuggestion> | null {
  if (name !== 'latitude' && name !== 'longitude') return null;
  const [, latitude, longitude] = /^\s*(-?\d+\.\d+)\s*[,;]?\s+(-?\d+\.\d+)\s*$/.exec(text) ?? [];
  return latitude !== undefined && longitude !== undefined ? { latitude, longitude } : null;
}

interface OneSuggestionProps {
  suggestion: EditedSuggestion;
  path: string;
  faults: readonly ContentFault[];
  onChange: (suggestion: EditedSuggestion) => void;
}

function OneSuggestion({ suggestion, path, faults, onChange }: OneSuggestionProps) {
  const { type, text } = suggestion;
  // Without data of its own the text comes back.
  const [hasData] = useState(suggestion.data !== '');
  const [isAsked, setAsked] = useState(false);
  const set = (part: Partial<EditedSuggestion>) => onChange({ ...suggestion, ...part });
  const field = (name: SuggestionField) => (
    <Field
      key={name}
      label={t(`rcs.suggestion.${name}`)}
      error={faultAt(faults, `${path}.${name}`)}
      required={!optional.has(name)}
    >
      {name === 'startsAt' || name === 'endsAt' ? (
        <DateTimeInput value={suggestion[name]} onChange={({ target }) => set({ [name]: target.value })} />
      ) : (
        <Input
          {...(name === 'url' && { type: 'url', placeholder: 'https://' })}
          {...(name === 'phone' && { type: 'tel', placeholder: '+44 7700 900123' })}
          {...((name === 'latitude' || name === 'longitude') && { inputMode: 'decimal' })}
          {...(name === 'data' && { autoFocus: isAsked })}
          value={suggestion[name]}
          onChange={({ target }) => set(placeOf(name, target.value) ?? { [name]: target.value })}
        />
      )}
    </Field>
  );
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={t('rcs.suggestion.type')}>
        <NativeSelect
          value={type}
          onChange={({ target }) =>
            set({ type: suggestionKinds.find((one) => one === target.value) ?? 'reply' })
          }
        >
          {suggestionKinds.map((one) => (
            <option key={one} value={one}>
              {t(`rcs.suggestion.type.${one}`)}
            </option>
          ))}
        </NativeSelect>
      </Field>
      <Field
        label={t('rcs.suggestion.text')}
        required
        error={faultAt(faults, `${path}.text`)}
        aside={`${formatNumber(text.length)} / ${suggestionLimits.text}`}
      >
        <Input value={text} onChange={({ target }) => set({ text: target.value })} />
      </Field>
      {fieldsOfSuggestion(type).map(field)}
      {hasData || suggestion.data !== '' || isAsked || faultAt(faults, `${path}.data`) !== undefined ? (
        field('data')
      ) : (
        <Button
          size="small"
          variant="ghost"
          className="self-end justify-self-start"
          icon={<Plus aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {t('rcs.suggestion.addData')}
        </Button>
      )}
    </div>
  );
}

const optional = new Set<SuggestionField>(['data', 'label', 'description']);
