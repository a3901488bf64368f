/** What the API refuses of workflows and their runs; a part of the one table of errors. */
export const workflowErrors = {
  workflow_not_found: { status: 404, message: 'There is no such workflow.' },
  workflow_changed: { status: 409, message: 'Someone else changed this workflow in the meantime.' },
  workflow_invalid: {
    status: 422,
    message: 'This draft cannot be published yet: each issue names the step and field that it belongs to.',
  },
  workflow_not_published: { status: 409, message: 'This workflow was never published.' },
  workflow_not_active: { status: 409, message: 'This workflow is not active.' },
  workflow_limit: { status: 409, message: 'There are as many workflows as there can be.' },
  workflow_run_not_found: { status: 404, message: 'There is no such run.' },
  workflow_run_in_progress: { status: 409, message: 'This run has not ended yet.' },
  workflow_step_not_found: { status: 404, message: 'The workflow has no such step.' },
  workflow_hook_secret_wrong: {
    status: 401,
    message:
      'The secret of this address is missing or wrong: send it as `X-Webhook-Secret` or `Authorization: Bearer`.',
  },
  workflow_hook_body_invalid: {
    status: 422,
    message: 'The body is neither JSON nor a form.',
  },
} as const;
