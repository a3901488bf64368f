import { isVerdictStop } from '@app/domain/channels/account-verdict';
import { DISCONNECTED } from '@app/domain/channels/disconnected';
import { numberHealths, qualities, healthDrop, qualityDrop } from '@app/domain/channels/number-standing';
import { haltOf } from '@app/domain/templates/platform-status';
import type { ReadScope } from '../platform/workspace-scope.ts';
import type { Find, News } from './news.ts';

/** What the platform, or trouble with it, is news of. Each is told once: it is a fact only when it is another than before. */
export const newsOfPlatform = {
  // The stop of a whole account is told of as that, not number by number.
  'channel.stopped': (_, { subject, values }) =>
    isVerdictStop(text(values.code))
      ? null
      : toAll('connection_trouble', subject, { name: text(values.name) }),
  'channel.checked': async (scope, { subject, values }) => {
    // The same trouble in other words, or another end of what opens it.
    if (values.problem === 'none' || values.problem === values.problemBefore) return null;
    const isEnding = values.problem === 'token_ends_soon';
    const name = await (isEnding ? findEnding(scope, subject) : findTroubled(scope, subject));
    if (name === null) return null;
    return toAll('connection_problem', subject, { name, problem: text(values.problem) });
  },
  'channel.rated': (_, { subject, values }) => {
    const of = <Word extends string>(known: readonly Word[], word: unknown): Word | null =>
      known.find((one) => one === word) ?? null;
    const health = healthDrop(of(numberHealths, values.healthBefore), of(numberHealths, values.health));
    const quality = qualityDrop(
      of(qualities, values.qualityBefore),
      of(qualities, values.quality) ?? 'unknown',
    );
    const found = health ?? quality;
    return found && toAll('number_rated', subject, { name: text(values.name), found });
  },
  'channel.account_judged': (_, { subject, values }) =>
    toAll('account_judged', subject, { account: text(values.account), verdict: text(values.verdict) }),
  // What a person pauses, or a restore, is known to who did it.
  'webhook_endpoint.paused': (_, { subject, values }) =>
    values.reason === 'failing' || values.reason === 'gone'
      ? toAll('webhook_paused', subject, { host: text(values.host), reason: text(values.reason) })
      : null,
  'integration.failed': (_, { subject, values }, _looking, titleOf) =>
    toAll('integration_failed', subject, { ...aboutService(values, titleOf), problem: text(values.problem) }),
  // Who connected it anew sees that it works; the others hear of it.
  'integration.recovered': async (scope, { subject, values, actor }, _looking, titleOf) => ({
    ...{ kind: 'integration_recovered', subject, values: aboutService(values, titleOf) },
    userIds: await allBut(scope, actor.kind === 'person' ? actor.id : null),
  }),
  'template.platform_changed': (_, { subject, values }) => {
    // Its quality or category is another, and it is as it was.
    if (values.platformStatus !== null && values.platformStatus === values.platformStatusBefore) return null;
    const name = text(values.name);
    const halt = haltOf(text(values.platformStatus));
    if (halt) return toAll('template_halted', subject, { name, halt });
    return values.status === 'rejected' ? toAll('template_rejected', subject, { name }) : null;
  },
} satisfies Partial<Record<string, Find>>;

/** The name of a number in trouble; null where a stop for it is told of already, or nobody uses it. */
async function findTroubled(scope: ReadScope, channelId: string | null): Promise<string | null> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT display_name AS name FROM channels
      WHERE workspace_id = $1 AND id = $2 AND is_connected AND trouble IS NOT NULL AND coalesce(stopped_code, $3) = $3`,
    [scope.workspaceId, channelId, DISCONNECTED],
  );
  return rows[0]?.name ?? null;
}

/** The name of a number whose token ends; null where another was entered meanwhile, or it is in trouble already. */
async function findEnding(scope: ReadScope, channelId: string | null): Promise<string | null> {
  const { rows } = await scope.query<{ name: string }>(
    `SELECT display_name AS name FROM channels
      WHERE workspace_id = $1 AND id = $2 AND is_connected AND trouble IS NULL AND told_end_at = credentials_end_at`,
    [scope.workspaceId, channelId],
  );
  return rows[0]?.name ?? null;
}

function aboutService({ kind }: Record<string, unknown>, titleOf: (kind: string) => string): News['values'] {
  return { name: titleOf(text(kind)), service: text(kind) };
}

async function allBut(scope: ReadScope, userId: string | null): Promise<string[] | null> {
  if (userId === null) return null;
  const { rows } = await scope.query<{ id: string }>(
    'SELECT user_id AS id FROM memberships WHERE workspace_id = $1 AND user_id <> $2',
    [scope.workspaceId, userId],
  );
  return rows.map(({ id }) => id);
}

function toAll(kind: News['kind'], subject: string | null, values: News['values']): News {
  return { kind, userIds: null, subject, values };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
