import { checkRealOwner, type RealOwnerProblem } from '@app/domain/auth/real-owner';
import { SAMPLE_ADDRESSES } from '@app/domain/auth/sample-addresses';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type ComponentProps } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, orpc, readFailure } from '../../shared/api.ts';
import { errorMessageOf } from '../../shared/error-message.ts';
import { followOperation } from '../../shared/operations/follow-operation.ts';
import { isOperationOver, type Operation } from '../../shared/operations/operations.ts';
import { t } from '../../shared/messages.ts';
import { paths } from '../../shared/paths.ts';
import { queryClient } from '../../shared/query-client.ts';
import { readSessionAnew, type SessionUser } from '../../shared/session.ts';
import { NameFields, NewPasswordFields } from '../../shared/sign-in/account-fields.tsx';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { FormDialog } from '../../ui/overlays/form-dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { BusinessNameField } from './business-name-field.tsx';
import { dataOptions, startOptions } from './data-queries.ts';
import { SampleImports, type ImportDecisions } from './sample-imports.tsx';

const errorMessage = errorMessageOf({
  sample_gone: 'dataManagement.sample.gone',
  last_admin: 'dataManagement.sample.noAdmin',
});
type Owner = Record<TextField, string>;
type Errors = Partial<Record<keyof Owner | 'businessName' | 'imports', string | undefined>>;
type TextField = 'firstName' | 'lastName' | 'email' | 'password' | 'confirmPassword';

type Account = Pick<SessionUser, 'email' | 'firstName' | 'lastName'>;

/** What goes, and who is to go on: whoever has an account that everybody can open says who they are. */
export function StartDialog({ user, onClose }: { user: Account; onClose: () => void }) {
  const router = useRouter();
  const holds = useQuery(dataOptions());
  const asked = useQuery(startOptions());
  const { data } = holds;
  const needsOwner = asked.data?.needsOwner ?? false;
  const [typed, setTyped] = useState('');
  const [businessName, setBusinessName] = useState('');
  const [owner, setOwner] = useState(() => describeOwner(user));
  const imports = asked.data?.imports ?? [];
  const [decisions, setDecisions] = useState<ImportDecisions>({});
  const [errors, setErrors] = useState<Errors>({});
  const isRight = data !== undefined && asked.data !== undefined && typed.trim() === data.name;
  const isTouched = Object.entries(describeOwner(user)).some(
    ([name, text]) => owner[name as TextField] !== text,
  );
  useUnsavedWarning(typed !== '' || businessName !== '' || isTouched || Object.keys(decisions).length > 0);
  const start = useAction({
    mutationFn: () => {
      const { confirmPassword: _, ...form } = owner;
      return api.dataManagement.startForReal({
        ...{ name: typed, businessName },
        ...(needsOwner && { owner: form }),
        imports: Object.entries(decisions).map(([importId, keep]) => ({ importId, keep })),
      });
    },
    onSuccess: (operation) => {
      onClose();
      void tellWhenStarted(operation).then((isDone) => {
        // The home leads on from here; whoever has gone elsewhere meanwhile stays there.
        const isHere = router.state.location.pathname === paths.settings;
        return isDone && isHere ? router.navigate({ to: paths.dashboard }) : undefined;
      });
    },
    onError: (error) => {
      const { code, issues } = readFailure(error);
      if (code === 'email_taken') setErrors({ email: t('dataManagement.sample.emailTaken') });
      else if (code === 'imports_undecided') {
        // One ended since the dialog was opened: it is shown now.
        setErrors({ imports: t('dataManagement.sample.importsMissing') });
        void asked.refetch();
      } else if (issues.length > 0 && code === 'profile_invalid') {
        setErrors(readIssues(issues));
        // Asked for since the dialog was opened.
        void asked.refetch();
      } else notify.error(errorMessage(error));
    },
  });
  function submit() {
    if (!isRight || start.isPending) return;
    const found: Errors = {
      ...(!businessName.trim() && {
        businessName: t('dataManagement.sample.businessMissing'),
      }),
      ...(imports.some(({ id }) => decisions[id] === undefined) && {
        imports: t('dataManagement.sample.importsMissing'),
      }),
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
  const failed = (!data && holds.error) || (!asked.data && asked.error);
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
      {failed ? (
        <ErrorState
          text={errorMessage(failed)}
          onRetry={() => void Promise.all([holds.refetch(), asked.refetch()])}
        />
      ) : data && asked.data ? (
        <>
          <p className="text-muted">{t('dataManagement.holds', data)}</p>
          <Leaving addresses={asked.data.leaving} />
          <SampleImports
            imports={imports}
            decisions={decisions}
            error={errors.imports}
            onDecide={(chosen) => {
              setDecisions(chosen);
              setErrors({ ...errors, imports: undefined });
            }}
          />
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
      ) : (
        <Skeleton className="h-40" />
      )}
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

/** Accounts that are not known by their address: somebody gave them another one, and left the password. */
function Leaving({ addresses }: { addresses: readonly string[] }) {
  if (addresses.length === 0) return null;
  return (
    <div>
      <p>{t('dataManagement.sample.leaving')}</p>
      <ul className="list-disc pl-5 break-words text-muted">
        {addresses.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ul>
    </div>
  );
}

/** Whoever gave the sample account their own address has said who they are, but for the password. */
function describeOwner({ email, firstName, lastName }: Account): Owner {
  const nothing = {
    firstName: '',
    lastName: '',
    email: '',
    password: '',
    confirmPassword: '',
  };
  return SAMPLE_ADDRESSES.includes(email) ? nothing : { ...nothing, email, firstName, lastName };
}

function checkOwner(owner: Owner): Errors {
  return sayProblems(Object.entries(checkRealOwner(owner)));
}

function readIssues(issues: readonly { field: string; message: string }[]): Errors {
  return sayProblems(
    // The rules of the form are the server's too.
    issues.map(({ field, message }) => [field.replace('owner.', ''), message as RealOwnerProblem]),
  );
}

function sayProblems(problems: readonly [string, RealOwnerProblem][]): Errors {
  return Object.fromEntries(
    problems.map(([field, problem]) => [
      field,
      problem === 'passwordKnown' ? t('dataManagement.sample.passwordKnown') : t(`auth.problem.${problem}`),
    ]),
  );
}

/** Whether the sample is gone now. */
async function tellWhenStarted(begun: Operation): Promise<boolean> {
  const told = isOperationOver(begun) ? undefined : notify.success(t('dataManagement.sample.begun'));
  await readSessionAnew();
  await queryClient.invalidateQueries({ queryKey: orpc.operations.key() });
  const operation = isOperationOver(begun) ? begun : await followOperation(begun.id);
  await Promise.all([queryClient.invalidateQueries(), readSessionAnew()]);
  if (told !== undefined) notify.dismiss(told);
  const isDone = operation?.state === 'done';
  if (isDone) notify.success(t('dataManagement.sample.done'));
  return isDone;
}
