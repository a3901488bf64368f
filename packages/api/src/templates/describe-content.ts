import { extractVariables } from '@app/domain/templates/template-rendering';
import { bodyTextOf, findComponent, type TemplateComponent } from '@app/domain/templates/template';

/** What follows from the parts of a template, as its columns. */
export function describeContent(components: TemplateComponent[]) {
  const content = bodyTextOf(components);
  const header = findComponent(components, 'header');
  const headerMediaId = header && header.format !== 'text' ? (header.media?.id ?? null) : null;
  return { components, content, variables: extractVariables(content), headerMediaId };
}
