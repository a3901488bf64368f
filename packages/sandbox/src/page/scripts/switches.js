import { api, element, find, notify } from './dom.js';
import { refresh } from './state.js';
import { CATEGORIES, SWITCHES, TEMPLATE_STATES, wordOf, wordOfFault, wordOfOption } from './switch-words.js';

/** Of the platform's errors, by code; known once the page has asked for them. */
const titles = new Map();

// --- switches
const choices = {
  windowError: ['async', 'sync', 'off'],
  webhookSignature: ['valid', 'wrong', 'missing'],
  throttleStatus: [400, 429],
  pricingEra: ['2025', '2026-10'],
  tokenProblem: ['none', 'expired', 'revoked', 'no-permission'],
};

/** The switches that change how one message arrives stand beside the phones too. */
const OF_NETWORK = Object.keys(SWITCHES['What becomes of messages']);

export function showBehaviour(state) {
  const box = find('behaviour');
  if (box.children.length === 0) {
    for (const title of Object.keys(SWITCHES))
      box.append(element('h3', { text: title }), element('form', { className: 'grid' }));
  }
  const forms = box.querySelectorAll('form');
  Object.values(SWITCHES).forEach((words, place) => fill(forms[place], state, Object.keys(words)));
  fill(find('network'), state, OF_NETWORK);
}

export function fill(form, state, names) {
  if (form.contains(document.activeElement)) return;
  form.replaceChildren(
    ...names.map((name) => {
      const value = state.behaviour[name];
      const isChanged = JSON.stringify(value) !== JSON.stringify(state.usual[name]);
      return element(
        'label',
        { title: name },
        element('span', { className: isChanged ? 'changed' : '', text: wordOf(name) }),
        fieldFor(name, value, state.usual[name]),
      );
    }),
  );
}

function fieldFor(name, value, usual) {
  const save = (next) => api('POST', '/_sandbox/whatsapp/behaviour', { [name]: next }).then(refresh);
  const options = typeof value === 'boolean' ? [true, false] : choices[name];
  if (options) {
    const select = element('select', { on: { change: () => save(options[select.selectedIndex]) } });
    select.append(
      ...options.map((option) =>
        element('option', { text: wordOfOption(name, option), selected: option === value }),
      ),
    );
    return select;
  }
  const input = element('input', {
    value: value === null ? '' : String(value),
    placeholder: 'usual',
    inputMode: 'decimal',
    on: {
      change: () => {
        if (input.value === '') return save(usual);
        const numbers = input.value.split(',').map(Number);
        return save(numbers.length > 1 ? numbers : numbers[0]);
      },
    },
  });
  return input;
}

find('break').addEventListener('submit', async (event) => {
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target));
  await api('POST', '/_sandbox/whatsapp/errors', {
    ...values,
    code: Number(values.code),
    count: Number(values.count),
  });
  await refresh();
});

export function showQueued(state) {
  find('queued').replaceChildren(
    ...state.queuedErrors.map((item) => element('li', { text: wordOfFault(item, titles.get(item.code)) })),
  );
}

export function showTemplates(state) {
  const box = find('templates');
  if (box.contains(document.activeElement)) return;
  const rows = state.templates.map((template) => {
    const select = element('select', {
      attributes: { 'aria-label': `Status of ${template.name}` },
      on: {
        change: () =>
          api('POST', `/_sandbox/whatsapp/templates/${template.id}`, { status: select.value }).then(refresh),
      },
    });
    select.append(
      ...Object.entries({ [template.status]: template.status, ...TEMPLATE_STATES }).map(([value, text]) =>
        element('option', { value, text, selected: value === template.status }),
      ),
    );
    return element(
      'tr',
      {},
      element('td', { text: `${template.name} (${template.language})` }),
      element('td', { text: CATEGORIES[template.category] ?? template.category }),
      element('td', {}, select),
    );
  });
  box.replaceChildren(element('table', {}, element('tbody', {}, ...rows)));
}

find('reset').addEventListener('click', async () => {
  await api('POST', '/_sandbox/reset');
  notify('Everything is as at the start.');
  await refresh();
});

export async function showConstants() {
  const [{ numbers }, { codes }] = await Promise.all([
    api('GET', '/_sandbox/page/magic-numbers'),
    api('GET', '/_sandbox/whatsapp/error-codes'),
  ]);
  find('magic').tBodies[0].replaceChildren(
    ...numbers.map((row) =>
      element('tr', {}, element('td', { text: row.number }), element('td', { text: row.about })),
    ),
  );
  for (const { code, title } of codes) titles.set(code, title);
  find('codes').append(
    ...codes.map(({ code, title }) =>
      element('option', { value: code, text: `${code} ${title}`, selected: code === 131000 }),
    ),
  );
}
