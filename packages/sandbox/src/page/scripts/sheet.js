import { button, element, iconButton } from './dom.js';

/** A sheet that rises within one phone. Closing it gives the focus back. */
export function createSheet(phone) {
  const node = element('div', {
    className: 'sheet',
    hidden: true,
    attributes: { role: 'dialog' },
    on: { keydown: (event) => event.key === 'Escape' && close() },
  });
  phone.append(node);
  let before = null;

  function open(title, ...content) {
    if (node.hidden) before = document.activeElement;
    node.setAttribute('aria-label', title);
    node.replaceChildren(
      element(
        'div',
        { className: 'sheet-head' },
        element('h3', { text: title }),
        iconButton('cross', 'Close', close, { className: 'quiet' }),
      ),
      ...content,
    );
    node.hidden = false;
    (content[0]?.querySelector?.('button, input, select, textarea') ?? node.querySelector('button')).focus();
  }

  function close() {
    node.hidden = true;
    node.replaceChildren();
    before?.focus();
  }

  /** `[text, act]` pairs as a grid of choices; each closes the sheet first. */
  function choose(title, choices) {
    open(title, choicesOf(choices));
  }

  function choicesOf(choices) {
    return element(
      'div',
      { className: 'choices' },
      ...choices.filter(Boolean).map(([text, act, pressed]) =>
        button(
          text,
          () => {
            close();
            void act();
          },
          pressed === undefined ? {} : { attributes: { 'aria-pressed': String(pressed) } },
        ),
      ),
    );
  }

  /** `[name, label, value]` fields, then `act` with what was given. */
  function ask(title, fields, label, act) {
    const form = element('form', {
      className: 'asked',
      on: {
        submit: (event) => {
          event.preventDefault();
          const values = Object.fromEntries(new FormData(form));
          close();
          void act(values);
        },
      },
    });
    form.append(
      ...fields.map(([name, text, value, isLong]) =>
        element(
          'label',
          { text },
          isLong
            ? element('textarea', { name, value, rows: 3 })
            : element('input', { name, value, autocomplete: 'off' }),
        ),
      ),
      element('button', { text: label }),
    );
    open(title, form);
  }

  return { open, close, choose, choicesOf, ask };
}
