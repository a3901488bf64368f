import { createHash } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { newId } from '@app/database/new-id';
import { actorCaller } from '@app/domain/auth/caller';
import type { FlowConfig } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import {
  formControls,
  formFieldsOf,
  readForm,
  type FormAnswers,
} from '@app/domain/flows/triggers/form-trigger';
import { findUnstorableText } from '@app/domain/text/storable-text';
import { runClasses } from '@app/flows/flow-host';
import { addStarts } from '@app/flows/flow-starts';
import { recordConsent } from '../../contacts/contact-history.ts';
import { findHomeCountry } from '../../contacts/home-country.ts';
import { readPhoneNumber } from '../../contacts/phone-number.ts';
import { createAttemptLimit } from '../../platform/http-edge/attempt-limit.ts';
import { SMALL_BODY } from '../../platform/http-edge/body-rules.ts';
import { openBody } from '../../platform/http-edge/read-body.ts';
import { refuse } from '../../platform/http-edge/refuse.ts';
import type { ApiDependencies } from '../../platform/request-context.ts';
import { changeInNameOf } from '../../platform/system-work.ts';
import { languageOf } from '../../platform/words/language-of.ts';
import type { WorkspaceScope } from '../../platform/workspace-scope.ts';
import { findOrAddContact } from '../hooks/find-or-add-contact.ts';
import { FORM_POLICY, renderForm, renderThanks, type FormPage } from './render-form.ts';

/** Of one network address, and of one form; both in one process. */
const BY_ADDRESS = { max: 20, windowMs: 600_000 };
const BY_FORM = { max: 600, windowMs: 60_000 };

type Parts = Pick<ApiDependencies, 'db' | 'clock' | 'facts' | 'logger' | 'secrets'> & {
  readIpAddress(request: Request, environment: unknown): string | null;
};
type Form = {
  workspace_id: string;
  flow_id: string;
  flow_name: string;
  trigger_id: string;
  version: number;
  config: FlowConfig;
};

/** `GET` and `POST /forms/{slug}`: the page of a form, without a sign-in and without a script, and what is filled in. A form whose workflow is paused is not there. */
export function mountForms(app: Hono, parts: Parts): void {
  const byAddress = createAttemptLimit(BY_ADDRESS, parts.clock);
  const byForm = createAttemptLimit(BY_FORM, parts.clock);
  const answer = (c: Context, page: string, status: 200 | 422 | 429 = 200) => {
    c.header('content-security-policy', FORM_POLICY);
    c.header('cache-control', 'no-store');
    return c.html(page, status);
  };
  const open = (c: Context, config: FlowConfig): FormPage => ({
    ...{ language: languageOf(c.req.raw), config, key: newId(), given: {}, problems: {} },
  });

  app.get('/forms/:slug', async (c) => {
    const form = await findForm(parts, c.req.param('slug'));
    return form ? answer(c, renderForm(open(c, form.config))) : refuse('address_unknown');
  });

  app.post('/forms/:slug', async (c) => {
    const form = await findForm(parts, c.req.param('slug'));
    if (!form) return refuse('address_unknown');
    const body = openBody(c.req.raw);
    if (!(await body.readUpTo(SMALL_BODY))) return refuse('body_too_large');
    const given = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body.bytes())));
    if (findUnstorableText(given).length > 0) return refuse('invalid_input');
    const page = { ...open(c, form.config), given, key: readKey(given) };
    const address = parts.readIpAddress(c.req.raw, c.env) ?? '';
    if (!byAddress.begin(`${form.flow_id}/${address}`).isAllowed || !byForm.begin(form.flow_id).isAllowed)
      return answer(c, renderForm({ ...page, isBusy: true }), 429);
    // A robot learns nothing of it.
    if ((given[formControls.trap] ?? '') !== '') return answer(c, renderThanks(page.language, form.config));
    const answers = readForm(form.config, given);
    const problems = await changeInNameOf(
      parts,
      actorCaller('automation', { id: form.flow_id, name: form.flow_name, workspaceId: form.workspace_id }),
      (scope) => receive(scope, parts, { form, answers, key: page.key }),
    );
    return problems === null
      ? answer(c, renderThanks(page.language, form.config))
      : answer(c, renderForm({ ...page, problems }), 422);
  });
}

async function findForm({ db }: Parts, slug: string): Promise<Form | undefined> {
  const { rows } = await db.systemPool.query<Form>(
    `SELECT o.workspace_id, o.flow_id, f.name AS flow_name, o.trigger_id, t.version, t.config FROM flow_forms o
       JOIN flows f ON f.id = o.flow_id AND f.status = 'active'
       JOIN flow_triggers t ON t.flow_id = o.flow_id AND t.trigger_id = o.trigger_id AND t.version = f.published AND t.type = 'form_submission'
      WHERE o.slug = $1`,
    [slug],
  );
  return rows[0];
}

function readKey({ [formControls.key]: key }: { readonly [name: string]: string }): string {
  return key !== undefined && /^[0-9a-f-]{36}$/.test(key) ? key : newId();
}

function digestOf({ values, hasConsented }: FormAnswers): string {
  return createHash('sha256')
    .update(JSON.stringify([values, hasConsented]))
    .digest('base64url')
    .slice(0, 22);
}

/** Null where it was taken, also a second time. The number that the form asks for is looked at here, together with all other problems. */
async function receive(
  scope: WorkspaceScope,
  { secrets }: Parts,
  { form, answers, key }: { form: Form; answers: FormAnswers; key: string },
): Promise<FormAnswers['problems'] | null> {
  const { config, flow_id: flowId } = form;
  const fields = formFieldsOf(config);
  const valueOf = (name: string | undefined) => {
    const value = name === undefined ? null : answers.values[name];
    return typeof value === 'string' ? value : '';
  };
  const ofType = (type: string) => fields.find((field) => field.type === type)?.name;
  const phoneField = ofType('phone');
  const phone = valueOf(phoneField);
  const problems = { ...answers.problems };
  if (phoneField !== undefined && phone !== '' && !(await isPhoneNumber(scope, phone)))
    problems[phoneField] = 'phone';
  if (Object.keys(problems).length > 0) return problems;
  const start = {
    ...{ flowId, version: form.version, triggerId: form.trigger_id, channelId: null },
    ...{
      // Who goes back and corrects something has the same page, and sends another form.
      source: `form/${key}/${digestOf(answers)}`,
      values: answers.values,
      class: runClasses.event,
      depth: 0,
      at: scope.clock(),
    },
  };
  const { rowCount: isKnown } = await scope.query(
    'SELECT FROM flow_starts WHERE workspace_id = $1 AND flow_id = $2 AND source = $3',
    [scope.workspaceId, flowId, start.source],
  );
  if (isKnown) return null;
  if (phone === '') {
    await addStarts(scope, [{ ...start, contactId: null }]);
    return null;
  }
  const contact = { phone, name: valueOf('name'), email: valueOf(ofType('email')) };
  const found = await findOrAddContact(scope, secrets, contact, { mayAdd: true });
  if (found === 'contact_phone_invalid') return { [phoneField ?? '']: 'phone' };
  if (typeof found === 'string') {
    await addStarts(scope, [{ ...start, contactId: null, refused: found }]);
    return null;
  }
  const { contactId, number } = found;
  if (answers.hasConsented && !(await isOptedOut(scope, contactId)))
    await recordConsent(scope, {
      ...{ contactId, kind: 'opt_in', text: textOf(config, 'consent'), occurredAt: scope.clock() },
      ...{ source: 'form', sender: number },
    });
  await addStarts(scope, [{ ...start, contactId }]);
  return null;
}

async function isPhoneNumber(scope: WorkspaceScope, text: string): Promise<boolean> {
  return readPhoneNumber(text, (await findHomeCountry(scope)) ?? undefined) !== null;
}

/** Anyone can enter a number, so a form never ends an opt-out: only the contact does, by writing from it. */
async function isOptedOut(scope: WorkspaceScope, contactId: string): Promise<boolean> {
  const { rowCount } = await scope.query(
    'SELECT FROM contacts WHERE workspace_id = $1 AND id = $2 AND opted_out_at IS NOT NULL FOR SHARE',
    [scope.workspaceId, contactId],
  );
  return rowCount === 1;
}
