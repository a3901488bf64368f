import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { errorMessage } from '../../shared/error-message.ts';
import { t } from '../../shared/messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { notify } from '../../ui/toast.ts';
import { useSavedHere } from './unsaved-here.tsx';
import { refreshNumbers, type AccountNumber } from './numbers-queries.ts';

const MOST = 1_000;

/** How many messages a second leave through a number, never more than the platform lets through. */
export function NumberRate({
  channel,
  number,
}: {
  channel: NonNullable<AccountNumber['channel']>;
  number: AccountNumber;
}) {
  const [written, setWritten] = useState<string | null>(null);
  const queryClient = useQueryClient();
  const most = number.messagesPerSecond ?? MOST;
  const rate = Number(written);
  const isRight = written === null || (Number.isInteger(rate) && rate >= 1 && rate <= most);
  useUnsavedWarning(written !== null && written !== String(channel.messagesPerSecond), [
    ...['tab', 'part', 'number'],
  ]);
  const save = useAction({
    mutationFn: (_by: 'field' | 'tab') =>
      api.numbers.setRate({ channelId: channel.id, version: channel.version, messagesPerSecond: rate }),
    onSuccess: (_, by) => {
      setWritten(null);
      if (by === 'field') notify.success(t('connection.saved'));
    },
    onError: (error) =>
      notify.error(
        readFailure(error).code === 'channel_changed' ? t('connection.conflict') : errorMessage(error),
      ),
    onSettled: () => refreshNumbers(queryClient),
  });
  useSavedHere(written !== null && isRight, () =>
    save.mutateAsync('tab').then(
      () => true,
      () => false,
    ),
  );
  return (
    <span className="flex items-end gap-2">
      <Field
        label={t('connection.numbers.rate')}
        error={isRight ? undefined : t('connection.numbers.rateMost', { most: String(most) })}
        className="w-48"
      >
        <Input
          inputMode="numeric"
          value={written ?? String(channel.messagesPerSecond)}
          onChange={({ target }) => setWritten(target.value)}
        />
      </Field>
      {written === null || !isRight ? null : (
        <Button loading={save.isPending} onClick={() => save.mutate('field')}>
          {t('common.save')}
        </Button>
      )}
    </span>
  );
}
