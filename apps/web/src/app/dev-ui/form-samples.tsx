import { Mail } from 'lucide-react';
import { useState } from 'react';
import { Checkbox, Radio } from '../../ui/controls/choice.tsx';
import { Combobox, MultiSelect } from '../../ui/controls/combobox.tsx';
import { Field, FieldGroup } from '../../ui/field.tsx';
import { FileDrop } from '../../ui/controls/file-drop.tsx';
import { FormErrorSummary } from '../../ui/form.tsx';
import { DateTimeInput, Input, NativeSelect, PasswordInput, Textarea } from '../../ui/input.tsx';
import { SearchInput } from '../../ui/table/search-input.tsx';
import { Panel } from '../../ui/page-frame.tsx';
import { PhonePreview } from '../../ui/phone/phone-preview.tsx';
import { FilterSelect } from '../../ui/table/filter-select.tsx';
import { Select } from '../../ui/controls/select.tsx';
import type { SelectOption } from '../../ui/controls/select.tsx';
import { Slider } from '../../ui/controls/slider.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { Switch } from '../../ui/controls/switch.tsx';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'active', label: 'Active' },
  { value: 'blocked', label: 'Blocked' },
] as const;
const tags: SelectOption[] = ['vip', 'newsletter', 'lead', 'wholesale', 'returning'].map((value) => ({
  value,
  label: value,
}));

export function FormSamples() {
  const [status, setStatus] = useState<'all' | 'active' | 'blocked'>('all');
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<SelectOption[]>(tags.slice(0, 2));
  const [one, setOne] = useState<SelectOption | null>(null);
  const [threshold, setThreshold] = useState(0.7);
  const [step, setStep] = useState(1);
  const [body, setBody] = useState(
    'Hi {{name}}, *20 % off* today only. _Really._ ~~Not~~ ~Not~ a joke:\n```SAVE20```\n<b>plain</b>',
  );
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Panel title="Text">
        <div className="flex flex-col gap-4">
          <Field label="Name" required hint="As it stands on their card.">
            <Input placeholder="Ana Lima" />
          </Field>
          <Field label="Email" error="Please enter a valid email address">
            <Input type="email" defaultValue="ana@" start={<Mail aria-hidden />} />
          </Field>
          <Field label="Password" aside="8 characters or more">
            <PasswordInput defaultValue="Welcome" />
          </Field>
          <Field label="Body" aside="97 of 1,024">
            <Textarea value={body} onChange={(event) => setBody(event.target.value)} />
          </Field>
          <Field label="Schedule (Optional)" hint="Times are in Europe/Paris.">
            <DateTimeInput />
          </Field>
          <Field label="Disabled">
            <Input disabled value="cannot be changed" />
          </Field>
        </div>
      </Panel>
      <Panel title="Choice">
        <div className="flex flex-col gap-4">
          <Field label="Status">
            <Select value={status} onChange={setStatus} options={statuses} />
          </Field>
          <Field label="Template *" error="Please choose a template">
            <Combobox value={one} onChange={setOne} options={tags} placeholder="Search templates" />
          </Field>
          <Field label="Tags" hint="Enter adds a new one.">
            <MultiSelect
              value={chosen}
              onChange={setChosen}
              options={tags}
              placeholder="Add tags"
              onCreate={(text) => setChosen([...chosen, { value: text, label: text }])}
            />
          </Field>
          <Field label="Language">
            <NativeSelect>
              <option>English</option>
              <option>Español</option>
            </NativeSelect>
          </Field>
          <Field label="Confidence threshold">
            <Slider
              min={0}
              max={1}
              step={0.1}
              value={threshold}
              onChange={(event) => setThreshold(Number(event.target.value))}
            />
          </Field>
          <FieldGroup legend="Role">
            <Radio name="role" label="Agent" hint="Manage contacts and send messages" defaultChecked />
            <Radio name="role" label="Manager" hint="Manage campaigns and view analytics" />
            <Radio name="role" label="Admin" disabled />
          </FieldGroup>
          <Checkbox label="Remember me" defaultChecked />
          <Checkbox label="Some of them" indeterminate />
          <Switch label="Auto reply" hint="Answers outside business hours." defaultChecked />
          <Switch label="Off" />
        </div>
      </Panel>
      <Panel title="Wizard and files">
        <div className="flex flex-col gap-5">
          <Stepper
            label="Bulk message"
            steps={['Select Contacts', 'Choose Message', 'Review & Send']}
            current={step}
            onStep={setStep}
          />
          <FormErrorSummary
            problems={[
              { name: 'name', message: 'Name is required' },
              { name: 'phone', message: 'Phone number is required' },
            ]}
            onGoTo={() => undefined}
          />
          <FileDrop accept=".csv,.json" hint="CSV or JSON" onFiles={() => undefined} />
          <div className="flex flex-wrap gap-2">
            <SearchInput
              value={search}
              onChange={setSearch}
              placeholder="Search contacts"
              className="flex-1"
            />
            <FilterSelect label="Status" value={status} onChange={setStatus} options={statuses} />
          </div>
        </div>
      </Panel>
      <Panel title="Phone">
        <PhonePreview
          label="Preview of the message"
          name="Your Business"
          emptyText="Your message"
          message={{
            header: { type: 'image' },
            body,
            footer: 'Reply STOP to unsubscribe',
            buttons: [
              { type: 'url', text: 'Shop now' },
              { type: 'phone', text: 'Call us' },
              { type: 'reply', text: 'Not now' },
            ],
          }}
        />
      </Panel>
    </div>
  );
}
