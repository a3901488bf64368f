import { SAMPLE_ADDRESSES } from '@app/domain/auth/sample-addresses';
import { checkSignUp, type SignUpProblem } from '@app/domain/auth/sign-up-rules';
import { useQuery } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { useAct } from '../../shared/acts/use-act.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { failureTextOf } from '../../shared/failure-text.ts';
import { followAct } from '../../shared/long-acts/follow-act.ts';
import { isActOver, type LongAct } from '../../shared/long-acts/long-acts.ts';
import { t } from '../../shared/messages.ts';
import { queryClient } from '../../shared/query-client.ts';
import { readSessionAnew, useSession } from '../../shared/session.ts';
import { NameFields, NewPasswordFields } from '../../shared/sign-in/account-fields.tsx';
import { useMessages } from '../../shared/use-messages.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { notify } from '../../ui/toast.ts';
import { BusinessNameField } from './business-name-field.tsx';
import { dataOptions } from './data-queries.ts';

const failureText = failureTextOf({
  sample_gone: 'dataManagement.sample.gone',
  last_admin: 'dataManagement.sample.noAdmin',
});
const noOwner = { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' };
type Owner = typeof noOwner;
type Errors = Partial<Record<keyof Owner | 'businessName', string | undefined>>;
type TextField = keyof Owner;

/** Only where the workspace is the sample: what it is, and how a business begins. */
export function StartForReal({ mayManage }: { mayManage: boolean }) {
  const session = useSession();
  const [isAsking, setAsking] = useState(false);
  const hasWords = useMessages('auth');
  if (session.status !== 'signed-in' || !session.workspace.isSample) return null;
  return (
    <Panel title={t('dataManagement.sample.title')} purpose={t('dataManagement.sample.hint')}>
      <Button
        variant="primary"
        icon={<Rocket />}
        disabled={!mayManage || !hasWords}
        onClick={() => setAsking(true)}
      >
        {t('dataManagement.sample.act')}
      </Button>
      {isAsking ? (
        <StartDialog
          needsOwner={SAMPLE_ADDRESSES.includes(session.user.email)}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Panel>
  );
}

function StartDialog({ needsOwner, onClose }: { needsOwner: boolean; onClose: () => void }) {
  const { data } = useQuery(dataOptions());
  const [typed, setTyped] = useState('');
  const [businessName, setBusinessName] = useState('');
  const [owner, setOwner] = useState(noOwner);
  const [errors, setErrors] = useState<Errors>({});
  const isRight = data !== undefined && typed.trim() === data.name;
  useUnsavedWarning(typed !== '' || businessName !== '' || Object.values(owner).some(Boolean));
  const start = useAct({
    mutationFn: () => {
      const { confirmPassword: _, ...form } = owner;
      return api.dataManagement.startForReal({
        ...{ name: typed, businessName },
        ...(needsOwner && { owner: form }),
      });
    },
    onSuccess: (act) => {
      if (!isActOver(act)) notify.success(t('dataManagement.sample.begun'));
      void tellWhenStarted(act);
      onClose();
    },
    onError: (error) => {
      const { code, issues } = readFailure(error);
      if (code === 'email_taken') setErrors({ email: t('dataManagement.sample.emailTaken') });
      else if (issues.length > 0 && code === 'profile_invalid') setErrors(readIssues(issues));
      else notify.error(failureText(error));
    },
  });
  function submit() {
    if (!isRight || start.isPending) return;
    const found: Errors = {
      ...(!businessName.trim() && { businessName: t('dataManagement.sample.businessMissing') }),
      ...(needsOwner && checkOwner(owner)),
    };
    setErrors(found);
    if (Object.keys(found).length === 0) start.mutate();
  }
  const text = (name: TextField, autoComplete: string): ComponentProps<typeof Input> => ({
    ...{ name, autoComplete, value: owner[name] },
    onChange: (event) => {
      setOwner({ ...owner, [name]: event.currentTarget.value });
      setErrors({ ...errors, [name]: undefined });
    },
  });
  return (
    <FormDialog
      title={t('dataManagement.sample.title')}
      description={t('dataManagement.sample.question')}
      submitLabel={t('dataManagement.sample.act')}
      buttons={
        <Button variant="danger" disabled={!isRight} loading={start.isPending} onClick={submit}>
          {t('dataManagement.sample.act')}
        </Button>
      }
      onClose={onClose}
      onSubmit={submit}
    >
      {data ? (
        <>
          <p className="text-muted">{t('dataManagement.holds', data)}</p>
          <Field label={t('dataManagement.sample.businessName')} error={errors.businessName} required>
            <Input
              value={businessName}
              autoComplete="organization"
              maxLength={100}
              onChange={(event) => {
                setBusinessName(event.currentTarget.value);
                setErrors({ ...errors, businessName: undefined });
              }}
            />
          </Field>
          {needsOwner ? <OwnerFields text={text} errors={errors} /> : null}
          <BusinessNameField name={data.name} typed={typed} onType={setTyped} />
        </>
      ) : null}
    </FormDialog>
  );
}

function OwnerFields({
  text,
  errors,
}: {
  text: (name: TextField, autoComplete: string) => ComponentProps<typeof Input>;
  errors: Errors;
}) {
  return (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <legend className="mb-1 font-medium">{t('dataManagement.sample.owner')}</legend>
      <p className="text-sm text-muted">{t('dataManagement.sample.ownerHint')}</p>
      <NameFields text={text} errors={errors} />
      <Field label={t('auth.field.email')} error={errors.email} required>
        <Input type="email" {...text('email', 'username')} />
      </Field>
      <NewPasswordFields text={text} errors={errors} />
    </fieldset>
  );
}

function checkOwner(owner: Owner): Errors {
  const found = checkSignUp({ ...owner, phoneNumber: '', role: 'admin' });
  return Object.fromEntries(
    Object.entries(found).map(([field, problem]) => [field, t(`auth.problem.${problem}`)]),
  );
}

function readIssues(issues: readonly { field: string; message: string }[]): Errors {
  return Object.fromEntries(
    // The rules of the form are the server's too.
    issues.map(({ field, message }) => [
      field.replace('owner.', ''),
      t(`auth.problem.${message as SignUpProblem}`),
    ]),
  );
}

async function tellWhenStarted(begun: LongAct): Promise<void> {
  await readSessionAnew();
  await queryClient.invalidateQueries({ queryKey: orpc.longActs.key() });
  const act = isActOver(begun) ? begun : await followAct(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (act?.state === 'done') notify.success(t('dataManagement.sample.done'));
}
