import { Info, Megaphone } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, CardGrid, Panel } from '../../ui/page-frame.tsx';
import { Progress, ProgressParts } from '../../ui/progress.tsx';
import { Banner, CardGridSkeleton, EmptyState, ErrorState } from '../../ui/states.tsx';
import { StatDelta, SummaryCard, SummaryCards } from '../../ui/table/summary-cards.tsx';

export function StateSamples() {
  return (
    <div className="flex flex-col gap-4">
      <SummaryCards>
        <SummaryCard
          label="Total Contacts"
          value="12,480"
          note={<StatDelta change={12.5} text="+12.5%" label="vs last month" />}
        />
        <SummaryCard
          label="Delivery Rate"
          value="90.0%"
          note={<StatDelta change={-1.8} text="-1.8%" label="vs last month" />}
        />
        <SummaryCard
          label="Read Rate"
          value="70.0%"
          note={<StatDelta change={0} text="0%" label="vs last month" />}
        />
        <SummaryCard label="Messages Sent" value={undefined} />
      </SummaryCards>
      <Banner icon={<Info aria-hidden />} action={<Button size="small">Remove sample</Button>}>
        This workspace holds sample data.
      </Banner>
      <Banner tone="success">Connection successful! WhatsApp Business API is responding.</Banner>
      <Banner tone="warning">Outside the 24-hour window only templates can be sent.</Banner>
      <Banner tone="danger">Connection failed. Please verify your credentials.</Banner>
      <div className="grid gap-4 lg:grid-cols-2">
        <Panel title="Progress">
          <div className="flex flex-col gap-5">
            <Progress label="Importing contacts" done={3400} total={12_000} secondsLeft={95} />
            <Progress label="Failed import" done={20} total={120} tone="danger" />
            <ProgressParts
              label="Outcome"
              total={1000}
              parts={[
                { label: 'Read', value: 540, color: 1 },
                { label: 'Delivered', value: 260, color: 2 },
                { label: 'Sent', value: 120, color: 5 },
                { label: 'Failed', value: 40, color: 6 },
              ]}
            />
          </div>
        </Panel>
        <Panel title="Empty" flush>
          <EmptyState
            icon={<Megaphone />}
            title="No campaigns found"
            text="Get started by creating your first campaign."
            action={<Button variant="primary">Create Campaign</Button>}
          />
        </Panel>
        <Panel title="Error" flush>
          <ErrorState text="No connection. Check your network and try again." onRetry={() => undefined} />
        </Panel>
        <Panel title="Loading">
          <CardGridSkeleton count={2} />
        </Panel>
      </div>
      <CardGrid label="Campaigns">
        {['Summer sale', 'A campaign with a rather long name that needs two lines', 'Follow-up'].map(
          (name) => (
            <Card
              key={name}
              title={name}
              badges={
                <Badge tone="success" dot>
                  Running
                </Badge>
              }
              footer={
                <>
                  <span>Nov 21, 2026</span>
                  <Button size="small">Pause</Button>
                </>
              }
            >
              <Progress label="Sent" done={420} total={1000} hideLabel />
            </Card>
          ),
        )}
      </CardGrid>
    </div>
  );
}
