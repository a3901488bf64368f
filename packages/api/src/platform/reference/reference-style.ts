/** The look of the reference, light and dark, at any width. */
export const referenceStyle = `
:root { color-scheme: light dark; --text: light-dark(#17201c, #e6ebe8); --muted: light-dark(#52605a, #a3b0aa); --line: light-dark(#d8dfdb, #35403b);
  --ground: light-dark(#fff, #121715); --sunken: light-dark(#f2f5f3, #1b2220); --link: light-dark(#0b6b46, #5fd3a3); --danger: light-dark(#a3262a, #f19a9a); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
nav { border-bottom: 1px solid var(--line); padding: 0.75rem 1rem; font-size: 0.9rem; }
nav ul { list-style: none; margin: 0.25rem 0; padding-left: 0.75rem; }
nav a { display: inline-block; padding: 0.2rem 0; text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { padding: 1rem; max-width: 60rem; min-width: 0; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.5rem; border-bottom: 1px solid var(--line); padding-bottom: 0.25rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 0.25rem; overflow-wrap: anywhere; }
h4 { font-size: 0.9rem; margin: 1rem 0 0.25rem; }
p { margin: 0.25rem 0 0.75rem; }
article { border-bottom: 1px solid var(--line); padding-bottom: 1.25rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: 8px; margin: 0.5rem 0; overflow-x: auto; padding: 0.75rem; }
summary { cursor: pointer; font-weight: 600; padding: 0.25rem 0; }
table { border-collapse: collapse; font-size: 0.875rem; width: 100%; }
td { border-top: 1px solid var(--line); padding: 0.25rem 0.5rem 0.25rem 0; vertical-align: top; }
.method { border: 1px solid currentColor; border-radius: 4px; display: inline-block; font-size: 0.75rem; padding: 0 0.375rem; text-transform: uppercase; }
.method.get { color: var(--link); }
.method.delete { color: var(--danger); }
.needs, .limits, .place, .type { color: var(--muted); font-size: 0.875rem; }
.fields, .variants { border-left: 1px solid var(--line); list-style: none; margin: 0.25rem 0; padding-left: 0.75rem; }
.fields li, .variants li { overflow-wrap: anywhere; padding: 0.1rem 0; }
em { color: var(--danger); font-size: 0.8rem; font-style: normal; }
@media (max-width: 63.99rem) { nav { max-height: 40vh; overflow-y: auto; } }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav { border-bottom: 0; border-right: 1px solid var(--line); height: 100vh; overflow-y: auto; position: sticky; top: 0; }
  main { padding: 1rem 2.5rem 4rem; }
}
`;
