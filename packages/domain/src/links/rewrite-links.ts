import type { MapLinks } from '../channel-kinds/content-type.ts';
import type { RunMessage } from '../delivery/run-message.ts';
import type { MessageContent, TemplateContent } from '../messaging/message-content.ts';
import { findVariables } from '../messaging/template-variables.ts';
import { LONGEST_TARGET, mapAddresses, readTarget } from './counted-link.ts';

export const linkPlaces = ['suggestion', 'button', 'text'] as const;
export type LinkPlace = (typeof linkPlaces)[number];

/** A link that was found in a message, with the placeholder that stands for it now. */
export type FoundLink = {
  name: string;
  target: string;
  /** What is tapped; empty for an address in a text. */
  label: string;
  place: LinkPlace;
  isSuffix: boolean;
};

/** A link button of a template as the platform approved it, by its place in the message. */
export type ApprovedButton = { index: number; text: string; url: string };

export type Rewriting = {
  /** Of the product: what leads there is never rewritten. */
  ownOrigin: string;
  /** What stands in front of codes: a template whose button begins so has its target as the value of the button. */
  base: string;
  /** False leaves everything as it is but such buttons, which lead nowhere without a code. */
  isOn: boolean;
  /** What becomes of each target, such as the tags of a campaign; also where links are not counted. */
  tag?: (target: string) => string;
  mapLinksOf(content: Extract<MessageContent, { type: 'kind_content' }>): MapLinks | undefined;
  /** Of the template in a language. */
  buttonsOf(content: TemplateContent): readonly ApprovedButton[];
};

/** A longer text stays as it is: with its links changed it could be too long for the platform. */
const LONGEST_TEXT = 1_800;
const LONGEST_CAPTION = 900;

export type Rewritten = { message: RunMessage; links: readonly FoundLink[] };

/**
 * Puts a placeholder in place of each link of a message, in all of its languages. A link that differs for each contact (`https://…/{{code}}`) stays as it is.
 * An approved template cannot be changed: of it only values are rewritten, and buttons that lead to `base`.
 * Answers `no_target` where such a button has no fixed web address.
 */
export function rewriteLinks(message: RunMessage, how: Rewriting): Rewritten | 'no_target' {
  const found = new Map<string, FoundLink>();
  const prefix = freePrefix(message);
  const nameOf = (target: string, label: string, place: LinkPlace, isSuffix = false): string => {
    const key = JSON.stringify([target, label, place, isSuffix]);
    const name = found.get(key)?.name ?? `${prefix}${found.size + 1}`;
    found.set(key, { name, target, label, place, isSuffix });
    return `{{${name}}}`;
  };
  const tag = (target: string): string => {
    const tagged = how.tag?.(target) ?? target;
    return tagged.length > LONGEST_TARGET ? target : tagged;
  };
  const change = (address: string, label: string, place: LinkPlace): string | null => {
    const target = how.isOn || how.tag ? readTarget(address, how.ownOrigin) : null;
    if (target === null) return null;
    return how.isOn ? nameOf(tag(target), label, place) : tag(target);
  };
  const changeText = (text: string, longest = LONGEST_TEXT) => {
    if (text.length > longest) return text;
    const changed = mapAddresses(text, (address) => change(address, '', 'text'));
    // Tags alone make it longer; placeholders of counted links become short addresses.
    return how.isOn || changed.length <= longest ? changed : text;
  };
  let hasTarget = true;
  const rewrite = (content: MessageContent): MessageContent => {
    switch (content.type) {
      case 'text':
        return { ...content, body: changeText(content.body) };
      case 'media':
        return content.caption === undefined
          ? content
          : { ...content, caption: changeText(content.caption, LONGEST_CAPTION) };
      case 'interactive': {
        const { action } = content;
        const body = changeText(content.body);
        if (action.type !== 'link_button') return { ...content, body };
        const url = change(action.url, action.label, 'button') ?? action.url;
        return { ...content, body, action: { ...action, url } };
      }
      case 'kind_content': {
        const mapLinks = how.mapLinksOf(content);
        if (!mapLinks) return content;
        const value = mapLinks(
          content.value,
          (address, label) => change(address, label, 'suggestion') ?? address,
          (text) => changeText(text),
        );
        return { ...content, value };
      }
      case 'template':
        return rewriteTemplate(content);
      default:
        return content;
    }
  };
  const fixedText = (name: string) => {
    const variable = Object.hasOwn(message.variables, name) ? message.variables[name] : undefined;
    return variable && 'text' in variable ? variable.text : null;
  };
  /** A value that is the same for everybody, with its links replaced. */
  const changeValue = (text: string): string => {
    const [name, ...others] = findVariables(text);
    const fixed =
      name !== undefined && others.length === 0 && text === `{{${name}}}` ? fixedText(name) : null;
    if (fixed === null || fixed.includes('{{')) return text;
    const changed = changeText(fixed);
    return changed === fixed ? text : changed;
  };
  const rewriteTemplate = (content: TemplateContent): TemplateContent => {
    const approved = how.buttonsOf(content);
    const buttons = content.buttons?.map((button) => {
      const isOurs = (one: ApprovedButton) => one.index === button.index && one.url.startsWith(how.base);
      const ours = button.type === 'url' ? approved.find(isOurs) : undefined;
      if (button.type !== 'url' || !ours) return button;
      const [name] = findVariables(button.suffix);
      const target = readTarget(name === undefined ? '' : (fixedText(name) ?? ''), how.ownOrigin);
      if (target === null) hasTarget = false;
      return target === null ? button : { ...button, suffix: nameOf(tag(target), ours.text, 'button', true) };
    });
    const { body } = content;
    const filled =
      body?.format === 'positional'
        ? { ...body, values: body.values.map(changeValue) }
        : body && {
            ...body,
            values: Object.fromEntries(
              Object.entries(body.values).map(([name, value]) => [name, changeValue(value)]),
            ),
          };
    return { ...content, ...(buttons && { buttons }), ...(filled && { body: filled }) };
  };
  const content = rewrite(message.content);
  const inLanguages =
    message.inLanguages &&
    Object.fromEntries(Object.entries(message.inLanguages).map(([code, one]) => [code, rewrite(one)]));
  if (!hasTarget) return 'no_target';
  return {
    message: { ...message, content, ...(inLanguages && { inLanguages }) },
    links: [...found.values()],
  };
}

/** Names that no placeholder of the message has. */
function freePrefix({ content, inLanguages, variables }: RunMessage): string {
  const written = JSON.stringify([content, inLanguages ?? null, variables]);
  let prefix = 'counted_link_';
  while (written.includes(prefix)) prefix = `_${prefix}`;
  return prefix;
}
