import { readFileSync } from 'node:fs';

/** One section of the page: a vendor, or what stands beside them. Its markup is `parts/<name>.html`. */
type Part = { name: string; title: string };

/** In the order of the page. */
const parts: readonly Part[] = [
  { name: 'whatsapp', title: 'WhatsApp' },
  { name: 'rcs', title: 'RCS' },
  { name: 'openai', title: 'AI model' },
  { name: 'services', title: 'Services' },
  { name: 'mail', title: 'Mail' },
];

/** The page for people, with a tab and a section for each part. */
export function writePage(): string {
  const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');
  const tabs = parts.map(
    ({ name, title }, index) =>
      `<button role="tab" id="tab-${name}" aria-controls="${name}" aria-selected="${index === 0}">${title}</button>`,
  );
  const sections = parts.map(
    ({ name }, index) =>
      `<section id="${name}" class="part" role="tabpanel" aria-labelledby="tab-${name}"${index === 0 ? '' : ' hidden'}>\n${read(`parts/${name}.html`)}</section>`,
  );
  return read('page.html')
    .replace('<!-- tabs -->', () => tabs.join('\n'))
    .replace('<!-- parts -->', () => sections.join('\n'));
}
