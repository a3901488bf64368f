import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../../shared/actions/use-action.ts';
import { api, readFailure } from '../../shared/api.ts';
import { t } from '../../shared/messages.ts';
import { can } from '../../shared/session.ts';
import { useUnsavedWarning } from '../../shared/use-unsaved-warning.ts';
import { ConflictBanner } from '../../ui/conflict-banner.tsx';
import { Field } from '../../ui/field.tsx';
import { NativeSelect } from '../../ui/input.tsx';
import { useConfirm } from '../../ui/overlays/confirm.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { Banner } from '../../ui/states.tsx';
import { notify } from '../../ui/toast.ts';
import { ConnectionButtons } from './connection-buttons.tsx';
import { ConnectionGuide } from './connection-guide.tsx';
import {
  isOfPlatform,
  problemText,
  refreshConnections,
  saveErrorMessage,
  type Connection,
  type ConnectionKind,
  type FieldCheck,
  type Server,
} from './connection-queries.ts';
import { CredentialField } from './credential-field.tsx';
import { useSavedHere } from './unsaved-here.tsx';
import { useFieldChecks } from './use-field-checks.ts';

interface ConnectionFormProps {
  kind: ConnectionKind;
  /** Undefined for a number that is not connected yet. */
  connection: Connection | undefined;
  onCreated: (connection: Connection) => void;
}

/** What opens a number, tried value by value as it is written, and beside it where each is found. */
export function ConnectionForm({ kind, connection, onCreated }: ConnectionFormProps) {
  // Kept as it was opened: what is saved must follow the version that the person saw.
  const [opened, setOpened] = useState(connection);
  const [server, setServer] = useState<Server>(() => serverOf(kind, connection));
  const [first, setFirst] = useState(() => valuesOf(kind, connection));
  const [values, setValues] = useState(first);
  const [refused, setRefused] = useState<Readonly<Record<string, string | undefined>>>({});
  const queryClient = useQueryClient();
  const confirm = useConfirm();
  const mayChange = can('settings:manage');
  const isChanged = JSON.stringify(values) !== JSON.stringify(first) || server !== serverOf(kind, opened);
  // A number that works is saved as it stands; one that stopped goes on by being saved again.
  const isSaved = opened?.isConnected === true && opened.stopped === null && !isChanged;
  useUnsavedWarning(isChanged, ['tab', 'part', 'number']);
  const asked = { channelId: opened?.id, kind: kind.name, server, values };
  const proofs = useFieldChecks(asked, mayChange);

  // Whoever changed nothing sees at once what somebody else saved.
  if (connection && opened && isNewer(connection, opened) && !isChanged) takeOver(connection);

  function takeOver(next: Connection) {
    setOpened(next);
    setServer(serverOf(kind, next));
    setFirst(valuesOf(kind, next));
    setValues(valuesOf(kind, next));
    setRefused({});
  }

  const save = useAction({
    mutationFn: (_by: 'form' | 'tab') =>
      opened
        ? api.connections.update({ channelId: opened.id, version: opened.version, server, values })
        : api.connections.create({ kind: kind.name, server, values }),
    onSuccess: async (saved, by) => {
      takeOver(saved);
      if (by === 'form') notify.success(t('connection.saved'));
      await refreshConnections(queryClient);
      if (!opened) onCreated(saved);
    },
    onError: (error) => {
      const { code, issues } = readFailure(error);
      setRefused(
        Object.fromEntries(
          issues
            .filter(({ message }) => !isOfPlatform(message))
            .map(({ field, message }) => [field, refusedText(code, message)]),
        ),
      );
      if (code !== 'channel_changed') notify.error(saveErrorMessage(error));
    },
  });
  useSavedHere(!isSaved, () =>
    save.mutateAsync('tab').then(
      () => true,
      () => false,
    ),
  );
  const test = useAction({
    // It changes nothing: each press asks anew, also right after another.
    mutationFn: async ({ at: _at }: { at: number }) => proofs.press(),
    onSuccess: (found) => {
      if (found.every(isRight)) notify.success(t('connection.testRight'));
      else notify.error(t('connection.testFailed'));
    },
    onError: (error) => notify.error(saveErrorMessage(error)),
  });
  const disconnect = useAction({
    mutationFn: (channelId: string) => api.connections.disconnect({ channelId }),
    onSuccess: async (saved) => {
      takeOver(saved);
      notify.success(t('connection.disconnected'));
      await refreshConnections(queryClient);
    },
    onError: (error) => notify.error(saveErrorMessage(error)),
  });

  function press() {
    const isMissing = (name: string) => !values[name]?.trim() && !opened?.secrets[name];
    if (kind.least.some(isMissing)) notify.error(t('connection.incomplete'));
    else if (!test.isPending) test.mutate({ at: Date.now() });
  }

  async function askToDisconnect(channelId: string) {
    const isSure = await confirm({
      title: t('connection.disconnectTitle'),
      text: t('connection.disconnectText'),
      confirmLabel: t('connection.disconnect'),
      danger: true,
    });
    if (isSure) disconnect.mutate(channelId);
  }

  const trouble = kind.fields.map(({ name }) => proofs.find(name)?.problem).find(isOfPlatform);
  const isConflict = save.error !== null && readFailure(save.error).code === 'channel_changed';
  return (
    <div className="grid min-w-0 gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel title={t('connection.tab.api')} purpose={t('connection.purpose')}>
        <form
          className="flex flex-col gap-4"
          autoComplete="off"
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate('form');
          }}
        >
          {mayChange ? null : <Banner>{t('connection.readOnly')}</Banner>}
          {trouble ? <Banner tone="warning">{problemText({ problem: trouble, detail: null })}</Banner> : null}
          {isConflict ? (
            <ConflictBanner
              ways={[
                {
                  label: t('connection.takeTheirs'),
                  onSelect: () => {
                    save.reset();
                    if (connection) takeOver(connection);
                  },
                },
              ]}
            >
              {t('connection.conflict')}
            </ConflictBanner>
          ) : null}
          <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
            {kind.servers.length > 1 ? (
              <Field label={t('connection.server')} hint={t('connection.serverHint')}>
                <NativeSelect value={server} onChange={({ target }) => setServer(target.value as Server)}>
                  {kind.servers.map((one) => (
                    <option key={one} value={one}>
                      {t(one === 'sandbox' ? 'connection.server.sandbox' : 'connection.server.platform')}
                    </option>
                  ))}
                </NativeSelect>
              </Field>
            ) : null}
            {kind.fields.map((field) => (
              <CredentialField
                key={field.name}
                field={field}
                value={values[field.name] ?? ''}
                lastFour={opened?.secrets[field.name]?.lastFour}
                proof={proofs.find(field.name)}
                refused={refused[field.name]}
                isAsking={proofs.isAsking}
                onChange={(value) => {
                  setRefused((before) => ({ ...before, [field.name]: undefined }));
                  setValues((before) => ({ ...before, [field.name]: value }));
                }}
              />
            ))}
          </fieldset>
          {mayChange ? (
            <ConnectionButtons
              saveLabel={t('connection.save')}
              isSaved={isSaved}
              isSaving={save.isPending}
              isTesting={test.isPending}
              isDisconnecting={disconnect.isPending}
              onTest={press}
              onDisconnect={opened?.isConnected ? () => void askToDisconnect(opened.id) : undefined}
            />
          ) : null}
        </form>
      </Panel>
      <ConnectionGuide
        kind={kind}
        server={server}
        isRight={(field) => proofs.find(field)?.state === 'right'}
      />
    </div>
  );
}

function isRight({ state }: FieldCheck): boolean {
  return state === 'right';
}

/** Somebody saved it, or it was stopped or let go on since. */
function isNewer(connection: Connection, opened: Connection): boolean {
  if (connection.version !== opened.version) return connection.version > opened.version;
  return connection.stopped?.code !== opened.stopped?.code;
}

/** A problem by its code, or what is wrong with how it is written. */
function refusedText(code: string, message: string): string {
  if (code === 'connection_incomplete')
    return t(message === 'not_digits' ? 'connection.digits' : 'connection.missing');
  return problemText({ problem: message as FieldCheck['problem'], detail: null }) ?? '';
}

function serverOf(kind: ConnectionKind, connection: Connection | undefined): Server {
  return kind.servers.find((one) => one === connection?.server) ?? kind.servers[0] ?? 'platform';
}

/** Secrets are never there: what is not written stays as it is. */
function valuesOf(kind: ConnectionKind, connection: Connection | undefined): Record<string, string> {
  return Object.fromEntries(kind.fields.map(({ name }) => [name, connection?.values[name] ?? '']));
}
