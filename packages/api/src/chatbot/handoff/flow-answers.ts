import type { FlowFile } from '@app/domain/flows/flow-file';
import type { RunState } from '@app/domain/flows/run-state';
import { textOf } from '@app/domain/flows/step-type';
import type { ReadScope } from '../../platform/workspace-scope.ts';

const MOST_RUNS = 5;
/** Of a question, and of its answer. */
const LONGEST = { name: 120, value: 500 };

type Row = {
  answers: RunState['steps'];
  steps: FlowFile['steps'];
  /** What was said at each step, in the order of the dialogue. */
  asked: { step: string; text: string }[] | null;
};

/** What the customer answered to the questions of flows since then: the question as it was said, and the answer, in the order of the dialogue. */
export async function readFlowAnswers(
  scope: ReadScope,
  { contactId, channelId, since }: { contactId: string; channelId: string; since: number },
): Promise<[string, string][]> {
  const { rows } = await scope.query<Row>(
    `SELECT r.state->'steps' AS answers, v.content->'steps' AS steps,
            (SELECT jsonb_agg(jsonb_build_object('step', e.step_id, 'text', m.text) ORDER BY e.visit, e.number)
               FROM flow_effects e JOIN messages m ON m.id = e.message_id WHERE e.run_id = r.id AND m.text IS NOT NULL) AS asked
       FROM flow_runs r JOIN flows f ON f.id = r.flow_id AND f.kind = 'bot' JOIN flow_versions v ON v.flow_id = r.flow_id AND v.number = r.version
      WHERE r.workspace_id = $1 AND r.contact_id = $2 AND r.channel_id = $3 AND NOT r.is_test AND r.started_at >= $4
      ORDER BY r.started_at DESC, r.id DESC LIMIT ${MOST_RUNS}`,
    [scope.workspaceId, contactId, channelId, new Date(since)],
  );
  return rows.reverse().flatMap(({ answers, steps, asked }) => {
    const said = asked ?? [];
    const inOrder = [...new Set([...said.map(({ step }) => step), ...Object.keys(answers)])];
    return inOrder.flatMap((id): [string, string][] => {
      const step = steps.find((one) => one.id === id);
      const answer = step && answerOf(step.type, answers[id] ?? {});
      if (!step || !answer) return [];
      const question = said.find((one) => one.step === id)?.text ?? textOf(step.config, 'text');
      return [[shorten(question, LONGEST.name), shorten(answer, LONGEST.value)]];
    });
  });
}

function answerOf(type: string, values: RunState['steps'][string]): string | null {
  const value = type === 'ask' ? values['answer'] : type === 'offer_choices' ? values['choice'] : null;
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
