import { useState } from 'react';
import { setTheme, useThemeChoice } from '../../shared/theme.ts';
import { Button } from '../../ui/button.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ActionSamples } from './action-samples.tsx';
import { ChartSamples } from './chart-samples.tsx';
import { FormSamples } from './form-samples.tsx';
import { ListSamples } from './list-samples.tsx';
import { StateSamples } from './state-samples.tsx';

const tabs = ['actions', 'forms', 'list', 'states', 'charts'] as const;
const samples = {
  actions: <ActionSamples />,
  forms: <FormSamples />,
  list: <ListSamples />,
  states: <StateSamples />,
  charts: <ChartSamples />,
};

/** Every building block in each of its states; only while developing, so its words are not translated. */
export function DevUiPage() {
  const theme = useThemeChoice();
  const [tab, setTab] = useState<(typeof tabs)[number]>(
    () => tabs.find((name) => location.hash === `#${name}`) ?? 'actions',
  );
  return (
    <main id="content" className="h-dvh overflow-y-auto">
      <PageFrame
        title="Building blocks"
        purpose="What pages are made of, in each state."
        actions={(['light', 'dark', 'system'] as const).map((choice) => (
          <Button
            key={choice}
            size="small"
            aria-pressed={theme === choice}
            variant={theme === choice ? 'primary' : 'secondary'}
            onClick={() => setTheme(choice)}
          >
            {choice}
          </Button>
        ))}
      >
        <Tabs
          label="Kinds"
          value={tab}
          onChange={(next) => {
            setTab(next);
            history.replaceState(null, '', `#${next}`);
          }}
          tabs={tabs.map((value) => ({ value, label: value.slice(0, 1).toUpperCase() + value.slice(1) }))}
        >
          {samples[tab]}
        </Tabs>
      </PageFrame>
    </main>
  );
}
