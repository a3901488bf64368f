import { ArrowLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useTabs, type TabsProps } from '../../ui/tabs.tsx';

export interface SideTabsProps<Value extends string> extends TabsProps<Value> {
  /** On a narrow screen either the list is shown or what was opened from it. */
  isOpen: boolean;
  /** Back from there to the list. */
  onList: () => void;
  backLabel: string;
}

/** Tabs in a list beside one panel, on a telephone a list that opens it; arrow keys move, Home and End jump. */
export function SideTabs<Value extends string>({
  label,
  value,
  onChange,
  tabs,
  isOpen,
  onList,
  backLabel,
  children,
}: SideTabsProps<Value>) {
  const { listProps, tabProps, panelProps } = useTabs({ label, value, onChange, tabs }, [
    'ArrowDown',
    'ArrowUp',
  ]);

  return (
    <div className="flex min-w-0 flex-col items-stretch gap-6 md:flex-row md:items-start">
      <div
        {...listProps}
        aria-orientation="vertical"
        className={classNames(
          'w-full shrink-0 flex-col gap-1 md:sticky md:top-0 md:flex md:w-52',
          isOpen ? 'hidden' : 'flex',
        )}
      >
        {tabs.map((tab) => {
          const selected = tab.value === value;
          return (
            <button
              key={tab.value}
              {...tabProps(tab.value)}
              className={classNames(
                'flex min-h-11 items-center gap-2.5 rounded-md px-3 text-left font-medium transition-colors md:min-h-9 [&_svg]:size-4',
                selected ? 'text-text md:bg-primary-soft' : 'hover:bg-hover hover:text-text md:text-muted',
              )}
            >
              {tab.icon}
              {tab.label}
              <ChevronRight aria-hidden className="ml-auto text-muted md:hidden" />
            </button>
          );
        })}
      </div>
      <div {...panelProps} className={classNames('min-w-0 flex-1 md:block', isOpen ? 'block' : 'hidden')}>
        <Button variant="ghost" className="mb-3 md:hidden" icon={<ArrowLeft aria-hidden />} onClick={onList}>
          {backLabel}
        </Button>
        <h2 className="mb-3 text-lg font-semibold md:hidden">
          {tabs.find((tab) => tab.value === value)?.label}
        </h2>
        {children}
      </div>
    </div>
  );
}
