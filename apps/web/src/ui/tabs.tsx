import { useId, useLayoutEffect, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from './class-names.ts';

export interface TabItem<Value extends string = string> {
  value: Value;
  label: string;
  icon?: ReactNode;
  /** A small figure behind the label. */
  count?: ReactNode;
}

export interface TabsProps<Value extends string> {
  label: string;
  value: Value;
  /** The page keeps the value in its address. */
  onChange: (value: Value) => void;
  tabs: readonly TabItem<Value>[];
  children: ReactNode;
}

/** Tabs above one panel; arrow keys move, Home and End jump. */
export function Tabs<Value extends string>({ label, value, onChange, tabs, children }: TabsProps<Value>) {
  const { list, listProps, tabProps, panelProps } = useTabs({ label, value, onChange, tabs });

  // On a narrow screen the chosen one may stand beyond the edge; the row may get its width only later.
  useLayoutEffect(() => {
    const row = list.current;
    if (!row) return undefined;
    showTab(row, value);
    const observer = new ResizeObserver(() => showTab(row, value));
    observer.observe(row);
    return () => observer.disconnect();
  }, [list, value]);

  return (
    <div className="min-w-0">
      <div
        {...listProps}
        className="flex gap-1 overflow-x-auto border-b border-border [scrollbar-width:none]"
      >
        {tabs.map((tab) => {
          const selected = tab.value === value;
          return (
            <button
              key={tab.value}
              {...tabProps(tab.value)}
              className={classNames(
                '-mb-px flex h-10 shrink-0 items-center gap-2 border-b-2 px-3 font-medium transition-colors focus-visible:-outline-offset-2 [&_svg]:size-4',
                selected
                  ? 'border-primary text-text'
                  : 'border-transparent text-muted hover:border-border hover:text-text',
              )}
            >
              {tab.icon}
              {tab.label}
              {tab.count === undefined ? null : (
                <span className="rounded-full bg-neutral-soft px-1.5 text-xs text-text tabular-nums">
                  {tab.count}
                </span>
              )}
            </button>
          );
        })}
      </div>
      <div {...panelProps} className="pt-4">
        {children}
      </div>
    </div>
  );
}

/** What makes a list, its tabs and a panel one control for keys and screen readers, whatever they look like. */
export function useTabs<Value extends string>(
  { label, value, onChange, tabs }: Omit<TabsProps<Value>, 'children'>,
  keys?: readonly [next: string, before: string],
) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent) {
    const tab = tabReachedBy(event.key, tabs, value, keys);
    if (!tab) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.value}"]`)?.focus();
  }

  return {
    list,
    listProps: { ref: list, role: 'tablist', 'aria-label': label, onKeyDown: move },
    tabProps: (own: Value) => ({
      type: 'button' as const,
      role: 'tab',
      id: `${id}-${own}`,
      'data-tab': own,
      'aria-selected': own === value,
      'aria-controls': `${id}-panel`,
      tabIndex: own === value ? 0 : -1,
      onClick: () => onChange(own),
    }),
    panelProps: { role: 'tabpanel', id: `${id}-panel`, 'aria-labelledby': `${id}-${value}` },
  };
}

/** Which tab a key leads to; undefined for any other key. */
function tabReachedBy<Value extends string>(
  key: string,
  tabs: readonly TabItem<Value>[],
  value: Value,
  [next, before]: readonly [string, string] = ['ArrowRight', 'ArrowLeft'],
): TabItem<Value> | undefined {
  const index = tabs.findIndex((tab) => tab.value === value);
  const last = tabs.length - 1;
  const target = {
    [next]: index === last ? 0 : index + 1,
    [before]: index === 0 ? last : index - 1,
    Home: 0,
    End: last,
  }[key];
  return target === undefined ? undefined : tabs[target];
}

/** Brings one of a row (`data-tab`) into sight: it moves the row alone, never the page. */
export function showTab(list: HTMLElement | null, value: string): void {
  const tab = list?.querySelector(`[data-tab="${value}"]`)?.getBoundingClientRect();
  const row = list?.getBoundingClientRect();
  if (!list || !tab || !row) return;
  const beyond =
    Math.max(0, tab.right + NEIGHBOUR - row.right) || Math.min(0, tab.left - NEIGHBOUR - row.left);
  list.scrollLeft += beyond;
}

/** As much of the tab beside it as says that there is one, in pixels. */
const NEIGHBOUR = 24;
