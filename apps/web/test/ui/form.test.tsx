import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Field } from '../../src/ui/field.tsx';
import { FormErrorSummary, type FormProblem } from '../../src/ui/form.tsx';
import { Input } from '../../src/ui/input.tsx';
import { eventually, find, findAll, press, show, type } from '../screen.tsx';

/** A form as the features build them: the server refuses a field, the summary says so and leads there. */
function PhoneForm({ save }: { save: (phone: string) => FormProblem[] }) {
  const [problems, setProblems] = useState<FormProblem[]>([]);
  const field = useRef<HTMLInputElement>(null);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setProblems(save(field.current?.value ?? ''));
      }}
    >
      <FormErrorSummary problems={problems} onGoTo={() => field.current?.focus()} />
      <Field
        label="Phone"
        hint="With the country code"
        required
        error={problems.find(({ name }) => name === 'phone')?.message}
      >
        <Input ref={field} name="phone" />
      </Field>
      <button type="submit">Save</button>
    </form>
  );
}

const describedBy = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

test('a field is named and described, and says that it is needed', async () => {
  show(<PhoneForm save={() => []} />);
  const field = await find('textbox', /Phone/);
  expect(describedBy(field)).toBe('With the country code');
  expect([field.getAttribute('aria-invalid'), field.getAttribute('aria-required')]).toEqual([null, 'true']);
});

test('what the server refuses stands at the field and in a summary that is heard and leads there', async () => {
  const save = vi.fn<(phone: string) => FormProblem[]>((phone) =>
    phone === '1'
      ? [{ name: 'phone', message: 'Another contact has this number' }, { message: 'Nothing was saved' }]
      : [],
  );
  show(<PhoneForm save={save} />);
  const field = await find('textbox', /Phone/);
  type(field, '1');
  press(await find('button', 'Save'));
  const summary = await find('alert');
  await eventually(() => expect(document.activeElement).toBe(summary));
  expect(summary.textContent).toContain('Please correct these 2 fields:');
  expect(summary.textContent).toContain('Nothing was saved');
  expect(describedBy(field)).toBe('With the country code Another contact has this number');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(findAll('button', 'Nothing was saved')).toHaveLength(0);
  press(await find('button', 'Another contact has this number'));
  expect(document.activeElement).toBe(field);

  type(field, '2');
  press(await find('button', 'Save'));
  await eventually(() => expect(findAll('alert')).toHaveLength(0));
  expect(field.getAttribute('aria-invalid')).toBe(null);
});
