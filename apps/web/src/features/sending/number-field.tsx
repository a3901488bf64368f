import { useQuery } from '@tanstack/react-query';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Field } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';

/** All numbers and agents of the workspace; none until they are known. */
export function useChannels() {
  const { data } = useQuery(orpc.channels.list.queryOptions({ input: {} }));
  return data?.items ?? [];
}

/** The numbers that something can leave through, and one that was chosen and is off by now. */
function useNumbers(chosen: string | null) {
  return useChannels().filter(({ id, connection }) => connection !== 'none' || id === chosen);
}

/** What is sent along: of several numbers the one that people see, so that another default changes nothing of what they chose. */
export function useChosenNumber(chosen: string | null): string | null {
  const numbers = useNumbers(chosen);
  if (chosen !== null) return chosen;
  return numbers.length > 1 ? (numbers.find(({ isSender }) => isSender)?.id ?? null) : null;
}

/** How people know a number; null while there is only one, which needs no name. */
export function useNumberName(channelId: string | null): string | null {
  const numbers = useNumbers(channelId);
  if (numbers.length < 2) return null;
  return numbers.find(({ id }) => id === channelId)?.displayName ?? null;
}

/** Which number it leaves through, that of the workspace unless somebody says otherwise; nothing where there is no choice. */
export function NumberField({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (channelId: string) => void;
}) {
  const numbers = useNumbers(value);
  const chosen = useChosenNumber(value);
  if (numbers.length < 2) return null;
  const isOff = numbers.some(({ id, connection }) => id === chosen && connection === 'none');
  return (
    <Field label={t('sending.number')} error={isOff ? t('sending.obstacle.chosenNumberOff') : undefined}>
      <NativeSelect value={chosen ?? ''} onChange={({ target }) => onChange(target.value)}>
        {numbers.map(({ id, displayName, isSender }) => (
          <option key={id} value={id}>
            {isSender ? t('sending.numberDefault', { name: displayName ?? id }) : (displayName ?? id)}
          </option>
        ))}
      </NativeSelect>
    </Field>
  );
}
