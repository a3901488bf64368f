import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { orpc } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { Field } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { useUserActions } from './use-user-actions.tsx';
import { useColleagues } from '../../shared/people/colleagues.ts';
import { nameOf, type UserDetails } from './users-queries.ts';

/** Asks before somebody goes, and who takes over what they have open. */
export function LeaveDialog({
  user,
  kind,
  onClose,
}: {
  user: UserDetails;
  kind: 'deactivate' | 'delete';
  onClose: () => void;
}) {
  const [heir, setHeir] = useState<SelectOption | null>(null);
  const colleagues = useColleagues((id) => id !== user.id);
  const remove = useAction(orpc.users.remove.mutationOptions());
  const deactivate = useAction(orpc.users.deactivate.mutationOptions());
  const { run } = useUserActions();
  const name = nameOf(user);
  const isDeletion = kind === 'delete';
  const isBusy = remove.isPending || deactivate.isPending;

  const submit = () =>
    run(async () => {
      const input = { userId: user.id, handOverTo: heir?.value ?? null };
      await (isDeletion ? remove.mutateAsync(input) : deactivate.mutateAsync(input));
      onClose();
      return t(isDeletion ? 'users.deleted' : 'users.deactivated', { name });
    });

  return (
    <FormDialog
      title={t(isDeletion ? 'users.deleteQuestion' : 'users.deactivateQuestion', { name })}
      size="small"
      submitLabel={t(isDeletion ? 'common.delete' : 'users.deactivate')}
      closeOnOutsidePress
      onSubmit={() => void submit()}
      onClose={onClose}
      buttons={
        <Button variant="danger" loading={isBusy} onClick={() => void submit()}>
          {t(isDeletion ? 'common.delete' : 'users.deactivate')}
        </Button>
      }
    >
      <p>{t(isDeletion ? 'users.deleteText' : 'users.deactivateText')}</p>
      {user.status === 'waiting' ? null : (
        <Field label={t('users.handOver')} hint={t('users.handOverHint')}>
          <Combobox value={heir} onChange={setHeir} placeholder={t('users.handOverNobody')} {...colleagues} />
        </Field>
      )}
    </FormDialog>
  );
}
