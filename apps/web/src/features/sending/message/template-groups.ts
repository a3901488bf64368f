import { baseLanguage } from '@app/domain/contacts/contact-language';
import { languageName } from '../../../shared/contacts/contact-languages.ts';
import { activeLocale } from '../../../shared/messages.ts';

type Named = { id: string; name: string; language: string };

/** Templates of one name, each in another language, in the order in which they came; never empty. */
export type TemplateGroup<Template extends Named> = readonly [Template, ...Template[]];

/** Puts the languages of a template together. A second one of the same name and language is another template. */
export function groupTemplates<Template extends Named>(
  templates: readonly Template[],
): TemplateGroup<Template>[] {
  const groups: [Template, ...Template[]][] = [];
  const byName = new Map<string, [Template, ...Template[]][]>();
  for (const template of templates) {
    const ofName = byName.get(template.name) ?? [];
    const group = ofName.find((others) => others.every(({ language }) => language !== template.language));
    if (group) group.push(template);
    else {
      const started: [Template, ...Template[]] = [template];
      groups.push(started);
      byName.set(template.name, [...ofName, started]);
    }
  }
  return groups;
}

/** Of a group the one that is chosen, else the one in the reader's own language, else the first. */
export function shownOf<Template extends Named>(
  group: TemplateGroup<Template>,
  { chosenId, language }: { chosenId: string | null; language: string },
): Template {
  return (
    group.find(({ id }) => id === chosenId) ??
    group.find((template) => template.language === language) ??
    group.find((template) => baseLanguage(template.language) === language) ??
    group[0]
  );
}

/** As the reader's alphabet has the names of their languages. */
export function inLanguageOrder<Template extends { language: string }>(
  group: readonly Template[],
): Template[] {
  return group.toSorted((one, other) =>
    languageName(one.language).localeCompare(languageName(other.language), activeLocale()),
  );
}
