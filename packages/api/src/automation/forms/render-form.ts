import type { FormField } from '@app/domain/flows/field';
import type { FlowConfig } from '@app/domain/flows/flow-file';
import { textOf } from '@app/domain/flows/step-type';
import { formControls, formFieldsOf, type FormProblem } from '@app/domain/flows/triggers/form-trigger';
import type { InterfaceLanguage } from '@app/domain/text/interface-language';
import { html, Html } from '../../platform/words/html.ts';
import { mailWords } from '../../platform/words/mail-words.ts';
import { renderPlainPage } from '../../platform/words/plain-page.ts';

/** A page with a style and a form, which any page may show within itself. */
export const FORM_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors *";
const STYLE =
  new Html(`:root{color-scheme:light dark}*{box-sizing:border-box}body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#fff;color:#15211d}
main{max-width:32rem;margin:0 auto;padding:1.5rem}h1{font-size:1.375rem;margin:0 0 .5rem}p{margin:0 0 1rem;white-space:pre-line}
.field{margin:0 0 1rem}label,legend{display:block;font-weight:600;margin:0 0 .25rem;padding:0}fieldset{border:0;margin:0 0 1rem;padding:0}
input,textarea,select{font:inherit;width:100%;padding:.5rem .75rem;border:1px solid #75807c;border-radius:8px;background:transparent;color:inherit}
input[type=checkbox]{width:1.25rem;height:1.25rem;margin:.125rem .5rem 0 0;flex:none}.tick{display:flex;font-weight:400}
:focus-visible{outline:3px solid #008069;outline-offset:2px}.error{color:#b42318;margin:.25rem 0 0}p.error{margin:0 0 1rem}[aria-invalid=true]{border-color:#b42318}
button{font:inherit;font-weight:600;background:#008069;color:#fff;border:0;border-radius:8px;padding:.625rem 1.25rem;cursor:pointer}
.trap{position:absolute;left:-9999px;width:1px;height:1px;overflow:hidden}
@media (prefers-color-scheme:dark){body{background:#0e1513;color:#e6eeeb}.error{color:#ff9c92}[aria-invalid=true]{border-color:#ff9c92}}`);

export type FormPage = {
  language: InterfaceLanguage;
  config: FlowConfig;
  /** Of this page: a form that is sent twice counts once. */
  key: string;
  given: { readonly [name: string]: string };
  problems: { readonly [name: string]: FormProblem };
  isBusy?: boolean;
};

export function renderForm({ language, config, key, given, problems, isBusy }: FormPage): string {
  const words = mailWords(language);
  const consent = textOf(config, 'consent');
  const firstWrong = formFieldsOf(config).find(({ name }) => problems[name] !== undefined)?.name;
  const hasProblems = Object.keys(problems).length > 0 || isBusy === true;
  return page(
    language,
    textOf(config, 'title'),
    html`${textOf(config, 'intro') === '' ? null : html`<p>${textOf(config, 'intro')}</p>`}
      ${
        hasProblems
          ? html`<p class="error" role="alert">${words(isBusy ? 'form.busy' : 'form.problems')}</p>`
          : null
      }
      <form method="post" novalidate>
        <input type="hidden" name="${formControls.key}" value="${key}" />
        <div class="trap" aria-hidden="true">
          <label
            >${words('form.trap')}<input name="${formControls.trap}" tabindex="-1" autocomplete="off"
          /></label>
        </div>
        ${formFieldsOf(config).map((field) => {
          const problem = problems[field.name];
          return renderField(field, given[field.name] ?? '', {
            error: problem === undefined ? null : words(`form.problem.${problem}`),
            choose: words('form.choose'),
            isFocused: field.name === firstWrong,
          });
        })}
        ${
          consent === ''
            ? null
            : html`<div class="field">
                <label class="tick"
                  ><input
                    type="checkbox"
                    name="${formControls.consent}"
                    value="yes"
                    ${given[formControls.consent] === 'yes' ? CHECKED : null}
                  /><span>${consent}</span></label
                >
              </div>`
        }
        <button type="submit">${words('form.send')}</button>
      </form>`,
  );
}

export function renderThanks(language: InterfaceLanguage, config: FlowConfig): string {
  const thanks = textOf(config, 'thanks') || mailWords(language)('form.thanks');
  return page(language, textOf(config, 'title'), html`<p role="status">${thanks}</p>`);
}

const CHECKED = new Html('checked');
/** The first wrong field: people who use a keyboard or a screen reader begin there. */
const FOCUSED = new Html('autofocus');
const REQUIRED = new Html('required aria-required="true"');

function renderField(
  { name, label, type, isRequired, options = [] }: FormField,
  value: string,
  { error, choose, isFocused }: { error: string | null; choose: string; isFocused: boolean },
): Html {
  const id = `field-${name}`;
  const described =
    error === null
      ? null
      : html` aria-invalid="true" aria-describedby="${id}-error" ${isFocused ? FOCUSED : null}`;
  const required = isRequired ? REQUIRED : null;
  const shown = isRequired ? `${label} *` : label;
  const below = error === null ? null : html`<div class="error" id="${id}-error">${error}</div>`;
  if (type === 'yes_no')
    return html`<div class="field">
      <label class="tick"
        ><input
          type="checkbox"
          id="${id}"
          name="${name}"
          value="yes"
          ${value === 'yes' ? CHECKED : null}
          ${required}${described}
        /><span>${shown}</span></label
      >${below}
    </div>`;
  const control =
    type === 'long_text'
      ? html`<textarea id="${id}" name="${name}" rows="4" maxlength="2000" ${required}${described}>
${value}</textarea>`
      : type === 'choice'
        ? html`<select id="${id}" name="${name}" ${required}${described}>
            <option value="">${choose}</option>
            ${options.map(
              (option) =>
                html`<option value="${option}" ${option === value ? new Html('selected') : null}>
                  ${option}
                </option>`,
            )}
          </select>`
        : html`<input
            type="${inputTypes[type] ?? 'text'}"
            id="${id}"
            name="${name}"
            value="${value}"
            maxlength="2000"
            ${completes(name, type)}
            ${required}${described}
          />`;
  return html`<div class="field"><label for="${id}">${shown}</label>${control}${below}</div>`;
}

const inputTypes: Partial<Record<FormField['type'], string>> = {
  ...{ email: 'email', phone: 'tel', date: 'date', number: 'text' },
};

function completes(name: string, type: FormField['type']): Html | null {
  const by = type === 'email' ? 'email' : type === 'phone' ? 'tel' : name === 'name' ? 'name' : null;
  if (by !== null) return new Html(`autocomplete="${by}"`);
  return type === 'number' ? new Html('inputmode="decimal"') : null;
}

function page(language: InterfaceLanguage, title: string, body: Html): string {
  return renderPlainPage({ language, title, style: STYLE, body });
}
