import { api, button, clock, element, find, notify } from './dom.js';

/** So many records are shown; the rest is found by its values. */
const MOST = 100;

/** Name, title and events of each service. */
let services = [];
/** Switches of every stand-in, in words; what a vendor has of its own is shown by its name. */
const switchWords = {
  ...{ latencyMs: 'Delay of each answer (ms)', rejectNext: 'Next calls answered “too many requests”' },
  ...{ retryAfterSeconds: 'which ask to wait (s)', failNext: 'Next calls answered 503' },
  ...{ htmlNext: 'Next calls answered with HTML', isDown: 'Down until switched back' },
  ...{ isRevoked: 'Key revoked', clockAheadMs: 'Clock ahead by (ms)', webhookUrl: 'Address of webhooks' },
};

let name = '';
let shown = '';

const at = (path) => `/_sandbox/${name}/${path}`;
/** HubSpot names them in its own way. */
const valuesOf = (record) => record.values ?? record.properties;
const isGone = (record) => record.isDeleted ?? record.archived;
const change = (id, values, isDeleted) =>
  api('PUT', at('records'), {
    records: [
      name === 'hubspot' ? { id, properties: values, archived: isDeleted } : { id, values, isDeleted },
    ],
  });

/** The records of one service, its events, faults and calls. */
export async function showServices() {
  if (find('services').hidden) return;
  if (name === '') await listServices();
  const [list, log] = await Promise.all([api('GET', at('records')), api('GET', at('calls'))]);
  if (!list || !log) return;
  const wanted = find('service-find').value.trim().toLowerCase();
  const found = list.records.filter((one) => JSON.stringify(one).toLowerCase().includes(wanted));
  const news = JSON.stringify([name, found.slice(0, MOST), found.length, log.total]);
  // A record that is being edited stays as it is.
  if (news === shown || find('service-records').contains(document.activeElement)) return;
  shown = news;
  const example = list.records[0] && valuesOf(list.records[0]);
  find('service-add').elements.values.placeholder = Object.keys(example ?? {})
    .slice(0, 4)
    .map((field) => `${field}: …`)
    .join('\n');
  find('service-count').textContent = `${found.length} of ${list.records.length} records`;
  find('service-records').replaceChildren(
    ...(found.length === 0
      ? [element('li', { className: 'empty', text: 'No record.' })]
      : found.slice(0, MOST).map(recordOf)),
  );
  find('service-calls').replaceChildren(
    ...(log.calls.length === 0
      ? [element('li', { className: 'empty', text: 'No call yet.' })]
      : log.calls
          .slice(0, 50)
          .map((call) =>
            element('li', { text: `${clock(call.at)} · ${call.status} · ${call.method} ${call.path}` }),
          )),
  );
}

async function listServices() {
  const answer = await api('GET', '/_sandbox/page/services');
  services = answer?.services ?? [];
  find('service-name').replaceChildren(
    ...services.map((one) => element('option', { value: one.name, text: one.title })),
  );
  name = services[0]?.name ?? '';
  showEvents();
  showPeople();
  await showFaults();
}

function recordOf(record) {
  const values = valuesOf(record);
  const words = Object.values(values).filter((value) => value && !/^\d{4}-/.test(value));
  const form = element('form', {
    className: 'row',
    on: {
      submit: (event) => {
        event.preventDefault();
        const entered = Object.fromEntries(new FormData(form));
        // What was not touched is not sent: the service keeps some fields for itself.
        const changed = Object.entries(entered).filter(([field, value]) => value !== (values[field] ?? ''));
        void save(change(record.id, Object.fromEntries(changed)), 'Saved.');
      },
    },
  });
  form.append(
    ...Object.entries(values).map(([field, value]) =>
      element(
        'label',
        {},
        `${field} `,
        element('input', { name: field, value: value ?? '', attributes: { autocomplete: 'off' } }),
      ),
    ),
    element('button', { text: 'Save' }),
    button('Delete', () => void save(change(record.id, {}, true), 'Deleted.')),
  );
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element('summary', { text: `${isGone(record) ? 'Deleted · ' : ''}${words.slice(0, 4).join(' · ')}` }),
      element('p', { className: 'hint', text: `ID ${record.id}` }),
      form,
    ),
  );
}

async function save(answer, words) {
  if (!(await answer)) return;
  document.activeElement?.blur();
  shown = '';
  notify(words);
  await showServices();
}

const eventsOf = () => services.find((one) => one.name === name)?.events ?? [];

/** The events of the service; a service without any shows none. */
function showEvents() {
  find('service-events').hidden = eventsOf().length === 0;
  find('service-event-name').replaceChildren(
    ...eventsOf().map((one) => element('option', { value: one.name, text: one.text })),
  );
  find('service-event-answer').textContent = '';
  showEventValues();
}

/** A service without people takes none. */
function showPeople() {
  find('service-people').hidden = !services.find((one) => one.name === name)?.hasPeople;
}

function showEventValues() {
  const chosen = eventsOf().find((one) => one.name === find('service-event-name').value);
  find('service-event').elements.values.placeholder = chosen?.value ? `${chosen.value}: …` : '';
}

/** Numbers, flags and texts of the stand-in. */
async function showFaults() {
  const switches = await api('GET', at('behaviour'));
  if (!switches) return;
  const inputOf = (field, value) =>
    typeof value === 'boolean'
      ? element('input', { name: field, type: 'checkbox', checked: value })
      : element('input', {
          ...{ name: field, value: value ?? '', type: typeof value === 'string' ? 'text' : 'number' },
        });
  find('service-faults').replaceChildren(
    ...Object.entries(switches)
      .filter(([, value]) => value === null || typeof value !== 'object')
      .map(([field, value]) =>
        element('label', {}, `${switchWords[field] ?? field} `, inputOf(field, value)),
      ),
    element('button', { text: 'Set' }),
  );
}

/** `field: value` a line. */
function readValues(text) {
  return Object.fromEntries(
    String(text)
      .split('\n')
      .map((line) => /^\s*([^:]+?)\s*:\s*(.*?)\s*$/.exec(line))
      .filter(Boolean)
      .map(([, field, value]) => [field, value]),
  );
}

find('service-name').addEventListener('change', ({ target }) => {
  name = target.value;
  shown = '';
  showEvents();
  showPeople();
  void showFaults();
  void showServices();
});
find('service-event-name').addEventListener('change', showEventValues);
find('service-find').addEventListener('input', () => void showServices());
find('service-add').addEventListener('submit', (event) => {
  event.preventDefault();
  const values = readValues(new FormData(event.target).get('values'));
  void save(change(undefined, values), 'Added.').then(() => event.target.reset());
});
find('service-people').addEventListener('submit', (event) => {
  event.preventDefault();
  const count = Number(event.target.elements.count.value);
  void save(api('POST', at('people'), { count }), `${count} people added.`);
});
find('service-event').addEventListener('submit', (event) => {
  event.preventDefault();
  const { event: field, values } = event.target.elements;
  const happened = api('POST', at(`events/${field.value}`), readValues(values.value));
  void happened.then((answer) => {
    find('service-event-answer').textContent = answer ? JSON.stringify(answer, null, 1) : '';
  });
  void save(happened, 'It happened.');
});
find('service-faults').addEventListener('submit', (event) => {
  event.preventDefault();
  const inputs = [...event.target.querySelectorAll('input')];
  const readOf = ({ type, checked, value }) => {
    if (type === 'checkbox') return checked;
    if (type === 'text') return value;
    return value === '' ? null : Number(value);
  };
  const switches = Object.fromEntries(inputs.map((input) => [input.name, readOf(input)]));
  void save(api('POST', at('behaviour'), switches), 'Set.').then(showFaults);
});
addEventListener('hashchange', () => void showServices());
setInterval(() => void showServices(), 2000);
