import { find, api } from './dom.js';
import { showConsole } from './console.js';
import { showCallback, showCalls, showMails, showWebhooks } from './logs.js';
import { openFromAddress, showChats, showPhones } from './phones.js';
import { follow, onNews } from './state.js';
import { showBehaviour, showConstants, showQueued, showTemplates } from './switches.js';

// --- tabs, kept in the address: #mail, or #phones:number/customer,…
const tabs = [...document.querySelectorAll('[role=tab]')];
const nameOfTab = (tab) => tab.getAttribute('aria-controls');

function showTab(name) {
  for (const tab of tabs) {
    const isOn = nameOfTab(tab) === name;
    tab.setAttribute('aria-selected', String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    find(nameOfTab(tab)).hidden = !isOn;
  }
}
for (const [position, tab] of tabs.entries()) {
  tab.addEventListener('click', () => (location.hash = nameOfTab(tab)));
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(position + step + tabs.length) % tabs.length];
    location.hash = nameOfTab(next);
    next.focus();
  });
}
function readAddress() {
  const [name, opened] = location.hash.slice(1).split(':');
  showTab(tabs.some((tab) => nameOfTab(tab) === name) ? name : 'phones');
  if (opened) openFromAddress(opened.split(','));
}
addEventListener('hashchange', readAddress);
readAddress();

async function showFigures() {
  const stats = await api('GET', '/_sandbox/whatsapp/stats');
  if (!stats) return;
  find('figures').textContent =
    `${stats.accepted} accepted · ${stats.statusesSent} statuses · ${stats.webhooks.pending} webhooks waiting`;
}

for (const show of [
  ...[showChats, showPhones, showMails, showWebhooks, showCalls],
  ...[showConsole, showBehaviour, showQueued, showTemplates, showFigures],
])
  onNews(show);
void showConstants();
void showCallback();
void follow();
