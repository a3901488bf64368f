import type { OpenScenes } from '../scene-kit.ts';

export const openScenes: OpenScenes = ({ query, next, post, admin, addContact }) => {
  const workflow = () => ({
    name: `Workflow ${next()}`,
    triggers: [{ id: 'new', type: 'new_contact' }],
    start: 'tag',
    steps: [{ id: 'tag', type: 'add_tag', config: { tag: 'new' } }],
  });

  const addWorkflow = async () => {
    const { id: workflowId, version } = await post('/api/workflows', workflow());
    return { workflowId, version };
  };

  return {
    makers: {
      workflowId: addWorkflow,
    },
    scenes: {
      'workflowRuns.enrol': async () => {
        const { workflowId, version } = await addWorkflow();
        await post(`/api/workflows/${workflowId}/publish`, { version });
        return { workflowId, contactIds: [(await addContact()).id] };
      },
      'workflowHooks.renew': async () => ({
        workflowId: (await addWorkflow()).workflowId,
        triggerId: 'new',
      }),
      'workflowSimulations.start': async () => ({ workflowId: (await addWorkflow()).workflowId }),
      'workflowRuns.test': async () => {
        const { workflowId } = await addWorkflow();
        return { workflowId, contactId: (await addContact()).id };
      },
      'workflowRuns.retry': async () => {
        const { workflowId } = await addWorkflow();
        const contactId = (await addContact()).id;
        const answer = await admin.post(`/api/workflows/${workflowId}/contacts/${contactId}/test`);
        const { runId } = await answer.json<{ runId: string }>();
        await query(`UPDATE flow_runs SET status = 'failed', due_at = NULL, ended_at = now() WHERE id = $1`, [
          runId,
        ]);
        return { runId };
      },
      'workflows.create': async () => workflow(),
      'workflows.save': async () => ({ ...(await addWorkflow()), ...workflow() }),
    },
  };
};
